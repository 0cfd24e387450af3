import { useState } from 'react'
import { type Draft, emptyDraft } from './draft.ts'
import { forgetDraft, keepDraft, keptDraft } from './kept-draft.ts'

/** What has been typed for a card of this brand; most of it outlives a reload. */
export function useDraft(userId: string, brand: string) {
  const [restored, setRestored] = useState(() => keptDraft(userId, brand))
  const [draft, setDraft] = useState(restored ?? emptyDraft)

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part }
    setDraft(next)
    keepDraft(userId, brand, next)
  }
  function forget() {
    forgetDraft(userId, brand)
    setRestored(undefined)
  }

  return { draft, change, forget, isRestored: restored !== undefined }
}
