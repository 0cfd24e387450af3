import type { ReactNode } from 'react'

export interface ToastMessage {
  title: ReactNode
  description?: ReactNode
  variant?: 'default' | 'destructive'
}

export interface ShownToast extends ToastMessage {
  id: number
  open: boolean
}

/** A dismissed toast is forgotten after this many milliseconds (spec section 9). */
const REMOVE_DELAY = 1_000_000

let shown: ShownToast | undefined
let lastId = 0
let removal: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function show(next: ShownToast | undefined): void {
  shown = next
  for (const listener of listeners) listener()
}

/** Shows a notice. One is visible at a time: a new one takes the place of the one before. */
export function toast(message: ToastMessage): void {
  clearTimeout(removal)
  lastId += 1
  show({ ...message, id: lastId, open: true })
}

export function dismissToast(id: number): void {
  if (shown?.id !== id) return
  show({ ...shown, open: false })
  removal = setTimeout(() => show(undefined), REMOVE_DELAY)
}

export const toasts = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: (): ShownToast | undefined => shown,
  /** Whether there was one at all, so that what shows them need not be there before. */
  everShown: (): boolean => lastId > 0,
  neverShown: (): boolean => false,
  /** Nothing is shown on a prerendered page. */
  none: (): ShownToast | undefined => undefined,
}
