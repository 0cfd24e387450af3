import { useReducer, useRef, useState } from 'react'
import { randomUuid } from '#web/wire/random-uuid.ts'
import { type Draft, emptyDraft } from './draft.ts'
import type { Shelf } from './shelf.ts'

interface Kept {
  readonly draft: Draft
  /** Every attempt to submit the draft carries the same key, so the server accepts at most one. */
  readonly key: string
  readonly isRestored: boolean
}

/** A draft with what can be done to it. */
export type KeptDraft = ReturnType<ReturnType<typeof useDrafts>>

/**
 * What the seller has entered, by name: for each card, and for the payout of several cards. It survives a reload.
 * @returns the draft of a name; a new one gets `newKey`, or else a random key
 */
export function useDrafts(shelf: Shelf, start: Draft) {
  const [drafts] = useState(() => new Map<string, Kept>())
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const accepted = useRef(new Set<string>())

  return (name: string, newKey?: string) => {
    function find() {
      const kept = drafts.get(name) ??
        readDraft(shelf, name) ?? { draft: start, key: newKey ?? randomUuid(), isRestored: false }
      drafts.set(name, kept)
      return kept
    }
    function replace(part: Partial<Kept>) {
      const next = { ...find(), ...part }
      drafts.set(name, next)
      // Typing while the confirmation loads must not save the accepted draft again.
      if (!accepted.current.has(name)) shelf.keepDraft(name, { draft: next.draft, key: next.key })
      redraw()
    }
    return {
      ...find(),
      change: (part: Partial<Draft>) => replace({ draft: { ...find().draft, ...part } }),
      forget: () => {
        accepted.current.add(name)
        shelf.forget(name)
      },
      /** Starts again. Keeps the key, because the draft may have been accepted without an answer. */
      discard: () => {
        replace({ draft: start, isRestored: false })
        shelf.forget(name)
      },
      /** For a draft of a different card than the one submitted with this key. */
      renewKey: () => replace({ key: randomUuid() }),
    }
  }
}

/** An earlier version of the app may have kept it, with fewer fields. */
function readDraft({ drafts }: Shelf, name: string): Kept | undefined {
  const kept = drafts.get(name) as Pick<Kept, 'draft' | 'key'> | undefined
  return kept && { ...kept, draft: { ...emptyDraft, ...kept.draft }, isRestored: true }
}
