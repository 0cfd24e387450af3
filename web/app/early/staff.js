// Requests what a staff screen needs first, while the app is still loading. `call` (web/wire/call.ts) uses the answers.
// An unused answer costs one request and does no harm.

const lists = {
  '/admin': {
    submissions: {
      path: '/api/admin/submissions',
      filters: ['q', 'status', 'brand', 'minAmount', 'maxAmount', 'paymentType', 'claimed'],
      hasViews: true,
      limit: '25',
    },
    users: { path: '/api/admin/users', filters: ['q'] },
    transactions: { path: '/api/admin/transactions', filters: ['q', 'status'] },
  },
  '/admin/chat': { threads: { path: '/api/admin/chat/threads', filters: ['q'], show: 'open' } },
}

function firstList() {
  const address = new URLSearchParams(location.search)
  const tabs = lists[location.pathname] ?? {}
  const list = address.has('tab') ? tabs[address.get('tab')] : Object.values(tabs)[0]
  // Another list of conversations is rare. It waits for the app.
  if (!list || address.has('show')) return []
  const query = new URLSearchParams()
  if (list.hasViews) query.set('view', viewIn(address))
  for (const name of list.filters) if (address.get(name)) query.set(name, address.get(name))
  if (query.get('view') === 'all' && !query.has('q')) query.set('answeredFirst', 'true')
  if (list.show) query.set('show', list.show)
  if (list.limit) query.set('limit', list.limit)
  return [query.size > 0 ? `${list.path}?${query}` : list.path]
}

/** As in web/staff/submissions/use-view.ts. */
function viewIn(address) {
  return address.get('view') || (address.get('q') || address.get('status') ? 'all' : 'review')
}

globalThis.unspentEarly = new Map(
  ['/api/admin/me', ...firstList()].map((address) => {
    const answer = fetch(address)
    // `call` handles the error if it uses the answer.
    answer.catch(() => undefined)
    return [address, answer]
  }),
)
