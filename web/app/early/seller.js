// Requests what a seller's screen needs first, while the app is still loading. `call` (web/wire/call.ts) uses the answers.
// An unused answer costs one request and does no harm.

const id = new URLSearchParams(location.search).get('id')
const card = `/api/user/gift-cards/${encodeURIComponent(id ?? '')}`

const reads = {
  '/account/card': id ? [card, `${card}/history`] : [],
  '/processing': ['/api/user/gift-cards?open=true', '/api/user/gift-cards'],
  '/transactions': ['/api/user/earnings', '/api/my-transactions'],
}

// Without this cookie nobody is signed in. A hidden page is being replaced by the one in the seller's language.
if (document.cookie.includes('unspent_signed_in=') && !document.documentElement.hidden) {
  const { lang } = document.documentElement
  const path = location.pathname.replace(`/${lang}/`, '/')
  globalThis.unspentEarly = new Map(
    // The top bar counts the cards that wait, which the home lists.
    ['/api/auth/me', '/api/user/home', ...(reads[path] ?? [])].map((address) => {
      const answer = fetch(address, { headers: { 'accept-language': lang } })
      // `call` handles the error if it uses the answer.
      answer.catch(() => undefined)
      return [address, answer]
    }),
  )
}
