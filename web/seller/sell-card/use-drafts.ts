import { useReducer, useRef, useState } from 'react'
import { cardConditions, cardFormats } from '#domain/card.ts'
import { looksLikeCardNumber } from '#domain/card-number.ts'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { readStored, writeStored } from '#web/kit/store.ts'
import { parseJson } from '#web/wire/errors.ts'
import { randomUuid } from '#web/wire/random-uuid.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { type Draft, emptyDraft } from './draft.ts'

interface Kept {
  readonly draft: Draft
  /** Every attempt to submit the draft carries the same key, so the server accepts at most one. */
  readonly key: string
  readonly isRestored: boolean
}

/** A draft with what can be done to it. */
export type KeptDraft = ReturnType<ReturnType<typeof useDrafts>>

/**
 * What the seller has entered, by name: for each card, and for the payout of several cards. Most of it survives a reload.
 * @returns the draft of a name; a new one gets `newKey`, or else a random key
 */
export function useDrafts(userId: string, start: Draft = emptyDraft) {
  const [drafts] = useState(() => new Map<string, Kept>())
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const accepted = useRef(new Set<string>())

  return (name: string, newKey?: string) => {
    function find() {
      const found = drafts.get(name) ?? readDraft(userId, name)
      const kept = found ?? { draft: start, key: newKey ?? randomUuid(), isRestored: false }
      drafts.set(name, kept)
      return kept
    }
    function replace(part: Partial<Kept>) {
      const next = { ...find(), ...part }
      drafts.set(name, next)
      // Typing while the confirmation loads must not save the accepted draft again.
      if (!accepted.current.has(name)) storeDraft(userId, name, next)
      redraw()
    }
    return {
      ...find(),
      change: (part: Partial<Draft>) => replace({ draft: { ...find().draft, ...part } }),
      forget: () => {
        accepted.current.add(name)
        deleteDraft(userId, name)
      },
      /** For a draft of a different card than the one submitted with this key. */
      renewKey: () => replace({ key: randomUuid() }),
    }
  }
}

const text = (value: unknown) => typeof value === 'string'
const oneOf = (allowed: readonly string[]) => (value: unknown) =>
  text(value) && allowed.includes(String(value))

/** Checks for the fields that are stored. What is worth money is never stored: card number, PIN, bank numbers. */
const stored: Partial<Record<keyof Draft, (value: unknown) => boolean>> = {
  expirationDate: text,
  cardFormat: oneOf(cardFormats),
  cardCondition: oneOf(cardConditions),
  submissionNotes: text,
  paymentMethodId: text,
  paymentType: oneOf(['', ...paymentTypesOn('submission', shopBrand.payoutMethods)]),
  paymentAccountName: text,
  paymentAccountInfo: text,
}

/** The fields that may be stored and are valid. */
function storedFields(draft: object): Partial<Draft> {
  const given = Object.entries(draft).filter(([name, value]) => stored[name as keyof Draft]?.(value))
  return Object.fromEntries(given)
}

/** Stored for the life of the tab, per person and card. */
const keyOf = (userId: string, name: string) => `draft:${userId}:${name}`

function storeDraft(userId: string, name: string, { draft, key: idempotencyKey }: Kept): void {
  const { paymentAccountInfo, submissionNotes, ...rest } = storedFields(draft)
  const texts = { paymentAccountInfo, submissionNotes }
  // A card number typed into the wrong field is still a secret.
  const harmless = Object.entries(texts).filter(([, typed]) => typed && !looksLikeCardNumber(typed))
  const json = JSON.stringify({ ...rest, ...Object.fromEntries(harmless), idempotencyKey })
  writeStored('sessionStorage', keyOf(userId, name), json)
}

function readDraft(userId: string, name: string): Kept | undefined {
  const found = parseJson(readStored('sessionStorage', keyOf(userId, name)) ?? '')
  if (typeof found !== 'object' || !found) return undefined
  const key =
    'idempotencyKey' in found && text(found.idempotencyKey) ? String(found.idempotencyKey) : randomUuid()
  return { draft: { ...emptyDraft, ...storedFields(found) }, key, isRestored: true }
}

function deleteDraft(userId: string, name: string): void {
  writeStored('sessionStorage', keyOf(userId, name), null)
}
