// What can't wait for the app. It stands in the page itself, before anything that is painted, so it is small.

try {
  if (localStorage.getItem('theme') === 'dark' || location.pathname.startsWith('/admin')) {
    document.documentElement.classList.add('dark')
  }
} catch {
  // Storage can be switched off; light is the default then.
}

// A button can be pressed before the app is there to answer, and a form sent: the browser would put what was typed into the
// address. It is done again, in its order, once the app says that it is ready (web/app/layout/Root.tsx).
const missed = new Set()
function keep(event) {
  const control = event.type === 'submit' ? event.target : event.target.closest('button')
  if (!control) return
  event.preventDefault()
  // The app may be half there: it is not to have it twice.
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
