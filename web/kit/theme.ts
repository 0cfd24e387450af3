import { useEffect } from 'react'
import { createStore, readStored, useStore, writeStored } from './store.ts'

type Theme = 'light' | 'dark'

/** web/app/early/page.js reads the choice before the first paint. */
const STORAGE_KEY = 'theme'

/** The theme that is shown: a class of the root element. */
const shown = createStore<Theme>(
  () => (document.documentElement.classList.contains('dark') ? 'dark' : 'light'),
  (theme) => document.documentElement.classList.toggle('dark', theme === 'dark'),
)

export function useTheme(): { theme: Theme; toggle: () => void } {
  const theme = useStore(shown, 'light')
  const toggle = () => {
    const next = theme === 'dark' ? 'light' : 'dark'
    writeStored('localStorage', STORAGE_KEY, next)
    shown.set(next)
  }
  return { theme, toggle }
}

/** Dark, whatever the choice, while the component is shown. */
export function useAlwaysDark(): void {
  useEffect(() => {
    shown.set('dark')
    return () => shown.set(readStored('localStorage', STORAGE_KEY) === 'dark' ? 'dark' : 'light')
  }, [])
}
