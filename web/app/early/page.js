// Runs before the first paint. It is inlined in every document, so keep it small.

try {
  if (localStorage.getItem('theme') === 'dark' || location.pathname.startsWith('/admin')) {
    document.documentElement.classList.add('dark')
  }
  if (navigator.language.startsWith('es') && !localStorage.getItem('spanish-hint')) {
    document.documentElement.dataset.spanishHint = ''
  }
} catch {
  // Storage can be off. Then the theme is light.
}

// A seller's first page is in the language of the account. Hidden, so that the other language is never painted.
const { lang } = document.documentElement
const [, language] = /unspent_signed_in=(\w\w)/.exec(document.cookie) ?? []
if (language && language !== lang && !location.pathname.startsWith('/admin')) {
  const path = location.pathname.replace(new RegExp(`^/${lang}(?=/|$)`), '')
  document.documentElement.hidden = true
  location.replace(
    ((language === 'en' ? path : `/${language}${path}`.replace(/\/$/, '')) || '/') +
      location.search +
      location.hash,
  )
}

// The top bar keeps a place free for what signed-in sellers have there. The server sets this cookie for them.
if (document.cookie.includes('unspent_signed_in=')) document.documentElement.dataset.signedIn = ''

// Passkeys need a secure page at a host with a name. An attribute says so, so that a button can be hidden without a shift.
if (!globalThis.PublicKeyCredential || /^[\d.]+$|^\[/.test(location.hostname)) {
  document.documentElement.dataset.noPasskeys = ''
}

// Presses and submits before the app has started are repeated in order once it is ready (web/app/layout/Root.tsx).
// Otherwise the browser would submit a form by putting the typed text into the address, and a switch of the language would not be saved.
const missed = new Set()
function keep(event) {
  const control =
    event.type === 'submit' ? event.target : event.target.closest('button, [data-signed-in] a[hreflang]')
  if (!control) return
  event.preventDefault()
  // The app may have started in part: it must not handle the event twice.
  event.stopImmediatePropagation()
  missed.add(control)
}
for (const kind of ['click', 'submit']) addEventListener(kind, keep, true)
addEventListener(
  'unspent:ready',
  () => {
    for (const kind of ['click', 'submit']) removeEventListener(kind, keep, true)
    for (const control of missed) control.requestSubmit ? control.requestSubmit() : control.click()
  },
  { once: true },
)
