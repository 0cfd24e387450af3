import { useMemo } from 'react'
import { createStoredText, useStore } from '#web/kit/store.ts'
import { parseJson } from '#web/wire/errors.ts'
import type { Seen } from './notification.ts'

const DAY_MS = 86_400_000

/**
 * What an administrator has seen, stored in this browser and shared by its tabs. No text of a notification is stored.
 * On the first visit, everything older than a day counts as seen.
 */
export function useSeen(adminId: string): [Seen, (seen: Seen) => void] {
  const store = useMemo(() => createStoredText('localStorage', `staff-notices-${adminId}`), [adminId])
  const stored = useStore(store)
  const seen = useMemo(() => {
    const parsed = parseJson(stored ?? '')
    return isSeen(parsed) ? parsed : { upTo: new Date(Date.now() - DAY_MS).toISOString(), keys: {} }
  }, [stored])
  return [seen, (next) => store.set(JSON.stringify(next))]
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
