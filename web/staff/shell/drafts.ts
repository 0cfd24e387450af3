import { createStoredText, useStore } from '#web/kit/store.ts'
import { parseJson } from '#web/wire/errors.ts'
import { randomUuid } from '#web/wire/random-uuid.ts'

/** A reply that was not sent yet. */
interface Draft {
  readonly text: string
  /** Sent with the reply: the same text sent again after a lost answer is the same message. */
  readonly clientId: string
}

/** The drafts of this tab, by administrator and thread. */
const stored = createStoredText('sessionStorage', 'staff-drafts')
const none: Draft = { text: '', clientId: '' }

/** An administrator's draft in a thread, and a function that changes it. */
export function useDraft(adminId: string, threadId: string): [Draft, (text: string) => void] {
  const key = `${adminId} ${threadId}`
  const draft = parseDrafts(useStore(stored)).get(key) ?? none
  function write(text: string) {
    const drafts = parseDrafts(stored.get())
    if (text) drafts.set(key, { text, clientId: randomUuid() })
    else drafts.delete(key)
    stored.set(JSON.stringify([...drafts]))
  }
  return [draft, write]
}

/** So that the next person at this computer cannot read them. */
export function forgetDrafts(): void {
  stored.set(null)
}

function parseDrafts(text: string | null): Map<string, Draft> {
  const entries = parseJson(text ?? '')
  return new Map(Array.isArray(entries) ? entries : [])
}
