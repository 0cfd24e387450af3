import { useEffect, useSyncExternalStore } from 'react'

type Theme = 'light' | 'dark'

/** Where the choice is kept; early/page.js reads it before the first paint. */
const STORAGE_KEY = 'theme'
const listeners = new Set<() => void>()

// The root's class is what is shown, so it is also what is asked.
const current = (): Theme => (document.documentElement.classList.contains('dark') ? 'dark' : 'light')
const onServer = (): Theme => 'light'

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function apply(theme: Theme): void {
  document.documentElement.classList.toggle('dark', theme === 'dark')
  for (const listener of listeners) listener()
}

function kept(): Theme {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'dark' ? 'dark' : 'light'
  } catch {
    return 'light'
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Storage can be switched off; the choice then lasts as long as the page.
  }
}

export function useTheme(): { theme: Theme; toggle: () => void } {
  const theme = useSyncExternalStore(subscribe, current, onServer)
  const toggle = () => {
    const next = theme === 'dark' ? 'light' : 'dark'
    keep(next)
    apply(next)
  }
  return { theme, toggle }
}

/** Dark whatever was chosen, as long as the component that asks for it is shown. */
export function useAlwaysDark(): void {
  useEffect(() => {
    apply('dark')
    return () => apply(kept())
  }, [])
}
