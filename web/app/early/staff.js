// What a screen of staff's asks the server for first is on its way while the app is still being fetched. web/wire/early.ts
// hands the answers over by their address; one that nobody asks for costs a request, and nothing goes wrong.

const lists = {
  '/admin': {
    submissions: {
      path: '/api/admin/submissions',
      filters: ['q', 'status', 'brand'],
      answeredFirst: true,
      limit: '25',
    },
    users: { path: '/api/admin/users', filters: ['q'] },
    transactions: { path: '/api/admin/transactions', filters: ['q', 'status'] },
  },
  '/admin/chat': { threads: { path: '/api/admin/chat/threads', filters: ['q'] } },
}

function firstList() {
  const address = new URLSearchParams(location.search)
  const tabs = lists[location.pathname] ?? {}
  const list = address.has('tab') ? tabs[address.get('tab')] : Object.values(tabs)[0]
  if (!list) return []
  const query = new URLSearchParams()
  for (const name of list.filters) if (address.get(name)) query.set(name, address.get(name))
  if (list.answeredFirst && !query.has('q')) query.set('answeredFirst', 'true')
  if (list.limit) query.set('limit', list.limit)
  return [query.size > 0 ? `${list.path}?${query}` : list.path]
}

globalThis.unspentEarly = new Map(
  ['/api/admin/me', ...firstList()].map((address) => {
    const answer = fetch(address)
    // Whoever takes it hears of it.
    answer.catch(() => undefined)
    return [address, answer]
  }),
)
