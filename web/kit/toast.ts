import type { ReactNode } from 'react'
import { createStore } from './store.ts'

export interface ToastMessage {
  title: ReactNode
  description?: ReactNode
  variant?: 'default' | 'destructive'
  /** A button, such as Undo. Pressing it closes the toast. */
  action?: { label: string; onPress: () => void }
}

export interface ShownToast extends ToastMessage {
  id: number
  open: boolean
}

/** Milliseconds until a dismissed toast is removed (spec section 9). */
const REMOVE_DELAY = 1_000_000

let latest: ShownToast | undefined
let lastId = 0
let removal: ReturnType<typeof setTimeout> | undefined

/** The toast on the screen. */
export const shownToast = createStore<ShownToast | undefined>(
  () => latest,
  (next) => {
    latest = next
  },
)

/** Shows a toast. It replaces the one before it. @returns its id, to dismiss it early */
export function toast(message: ToastMessage): number {
  clearTimeout(removal)
  lastId += 1
  shownToast.set({ ...message, id: lastId, open: true })
  return lastId
}

/** An error is about the screen where it happened. */
export function dismissErrorToast(): void {
  if (latest?.variant === 'destructive') dismissToast(latest.id)
}

export function dismissToast(id: number): void {
  if (latest?.id !== id) return
  shownToast.set({ ...latest, open: false })
  removal = setTimeout(() => shownToast.set(undefined), REMOVE_DELAY)
}
