// Runs before the first paint, as a file of its own because the content security policy refuses inline scripts.
try {
  if (localStorage.getItem('theme') === 'dark' || location.pathname.startsWith('/admin')) {
    document.documentElement.classList.add('dark')
  }
} catch {
  // Storage can be switched off; light is the default then.
}
