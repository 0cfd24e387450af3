import { createStoredText, useStore } from '#web/kit/store.ts'

/** Whether keys that type a character are shortcuts in this browser. On until its user switches them off. */
const stored = createStoredText('localStorage', 'staff-shortcuts')

export function shortcutsOn(): boolean {
  return stored.get() !== 'off'
}

export function switchShortcuts(on: boolean): void {
  stored.set(on ? 'on' : 'off')
}

export function useShortcutsOn(): boolean {
  return useStore(stored) !== 'off'
}
