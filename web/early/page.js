// What can't wait for the app. It stands in the page itself, before anything that is painted, so it is small.

try {
  if (localStorage.getItem('theme') === 'dark' || location.pathname.startsWith('/admin')) {
    document.documentElement.classList.add('dark')
  }
} catch {
  // Storage can be switched off; light is the default then.
}

// A form can be sent before the app is there to take it; the browser would put what was typed into the address. It is
// sent again once the app says that it is ready (web/layout/Root.tsx).
let unsent
function keep(event) {
  event.preventDefault()
  // The app may be half there: what takes the form is not to have it twice.
  event.stopImmediatePropagation()
  unsent = event.target
}
addEventListener('submit', keep, true)
addEventListener(
  'unspent:ready',
  () => {
    removeEventListener('submit', keep, true)
    unsent?.requestSubmit()
  },
  { once: true },
)
