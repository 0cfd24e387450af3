import { parseJson } from '#web/wire/errors.ts'
import { newKey } from '#web/wire/idempotency.ts'

/**
 * Replies that were begun and not sent, by administrator and thread. They outlive looking at another thread and a
 * reload; signing out ends them, so that whoever comes next at this computer doesn't read them.
 */

/** A reply that was begun and not sent. */
export interface Draft {
  readonly text: string
  /** The name under which it is sent: the same text again, after a lost answer, is the same message. */
  readonly clientId: string
}

const KEY = 'staff-drafts'
const none: Draft = { text: '', clientId: '' }
const listeners = new Set<() => void>()
let drafts = kept()

export function draftAt(place: string): Draft {
  return drafts.get(place) ?? none
}

export function forgetDrafts(): void {
  keep(new Map())
}

export function writeDraft(place: string, text: string): void {
  const next = new Map(drafts)
  if (text) next.set(place, { text, clientId: newKey() })
  else next.delete(place)
  keep(next)
}

export function subscribeToDrafts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function keep(next: ReadonlyMap<string, Draft>): void {
  drafts = next
  for (const listener of listeners) listener()
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...next]))
  } catch {
    // No storage, or a full one: the drafts last as long as the page.
  }
}

function kept(): ReadonlyMap<string, Draft> {
  try {
    const entries = parseJson(sessionStorage.getItem(KEY) ?? '')
    return new Map(Array.isArray(entries) ? entries : [])
  } catch {
    return new Map()
  }
}
