import { parseJson } from '#web/wire/errors.ts'
import type { Seen } from './notice.ts'

/** What was seen is kept in this browser, for each administrator; all tabs share it. No word of any notice is. */

const DAY = 86_400_000
const keyOf = (adminId: string) => `staff-notices-${adminId}`
const listeners = new Set<() => void>()
const cache = new Map<string, { stored: string | null; seen: Seen }>()

/** Whoever was never here before has the last day's news before them. */
const begin = (): Seen => ({ upTo: new Date(Date.now() - DAY).toISOString(), keys: {} })

export function seenBy(adminId: string): Seen {
  const stored = readItem(keyOf(adminId))
  const known = cache.get(adminId)
  if (known && known.stored === stored) return known.seen
  const parsed = parseJson(stored ?? '')
  const seen = isSeen(parsed) ? parsed : (known?.seen ?? begin())
  cache.set(adminId, { stored, seen })
  return seen
}

export function keepSeen(adminId: string, seen: Seen): void {
  const stored = JSON.stringify(seen)
  try {
    localStorage.setItem(keyOf(adminId), stored)
    cache.set(adminId, { stored, seen })
  } catch {
    // No storage: it lasts as long as the page.
    cache.set(adminId, { stored: readItem(keyOf(adminId)), seen })
  }
  for (const listener of listeners) listener()
}

export function subscribeToSeen(listener: () => void): () => void {
  listeners.add(listener)
  // Seen in another tab.
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function isSeen(value: unknown): value is Seen {
  return (
    typeof value === 'object' &&
    value !== null &&
    'upTo' in value &&
    typeof value.upTo === 'string' &&
    'keys' in value &&
    typeof value.keys === 'object' &&
    value.keys !== null
  )
}
