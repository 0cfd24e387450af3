import { useSyncExternalStore } from 'react'

const STORAGE_KEY = 'staff-shortcuts'
const listeners = new Set<() => void>()
/** For as long as the page, where storage is switched off. */
let chosen: boolean | undefined

/** Whether keys that type a character are shortcuts. On until this browser's user switches them off. */
export function shortcutsOn(): boolean {
  try {
    return chosen ?? localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return chosen ?? true
  }
}

export function switchShortcuts(on: boolean): void {
  chosen = on
  try {
    localStorage.setItem(STORAGE_KEY, on ? 'on' : 'off')
  } catch {
    // The choice then lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore(subscribe, shortcutsOn)
}

function subscribe(listener: () => void): () => void {
  const hear = () => {
    chosen = undefined
    listener()
  }
  listeners.add(listener)
  // Another tab of this browser switched them.
  window.addEventListener('storage', hear)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', hear)
  }
}
