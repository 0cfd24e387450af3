import { useRef, useState } from 'react'
import { randomUuid } from '#web/wire/random-uuid.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { forgetDraft, keepDraft, keptDraft } from './kept-draft.ts'

/**
 * What has been typed for a card of this brand; most of it outlives a reload.
 * Every attempt to submit the draft carries its one `key`, so the server accepts at most one of them.
 */
export function useDraft(userId: string, brand: string) {
  const [restored] = useState(() => keptDraft(userId, brand))
  const [key, setKey] = useState(() => restored?.key ?? randomUuid())
  const [draft, setDraft] = useState(restored?.draft ?? emptyDraft)
  const accepted = useRef(false)

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part }
    setDraft(next)
    // Typing on while the confirmation loads must not bring the accepted draft back.
    if (!accepted.current) keepDraft(userId, brand, next, key)
  }
  function forget() {
    accepted.current = true
    forgetDraft(userId, brand)
  }

  /** The draft is another card than the one that was submitted with its key. */
  function renewKey() {
    const next = randomUuid()
    setKey(next)
    keepDraft(userId, brand, draft, next)
  }

  return { draft, key, change, forget, renewKey, isRestored: restored !== undefined }
}
