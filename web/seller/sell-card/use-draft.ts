import { useRef, useState } from 'react'
import { cardConditions, cardFormats } from '#domain/card.ts'
import { looksLikeCardNumber } from '#domain/card-number.ts'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { readStored, writeStored } from '#web/kit/store.ts'
import { parseJson } from '#web/wire/errors.ts'
import { randomUuid } from '#web/wire/random-uuid.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { type Draft, emptyDraft } from './draft.ts'

/**
 * What the seller has entered for a card; most of it survives a reload.
 * Every attempt to submit the draft carries the same `key`, so the server accepts at most one.
 * @param name the brand, or the id of the rejected submission of the same card
 */
export function useDraft(userId: string, name: string, start: Draft = emptyDraft) {
  const [restored] = useState(() => readDraft(userId, name))
  const [key, setKey] = useState(() => restored?.key ?? randomUuid())
  const [draft, setDraft] = useState(restored?.draft ?? start)
  const accepted = useRef(false)

  function change(part: Partial<Draft>) {
    const next = { ...draft, ...part }
    setDraft(next)
    // Typing while the confirmation loads must not save the accepted draft again.
    if (!accepted.current) storeDraft(userId, name, next, key)
  }
  function forget() {
    accepted.current = true
    deleteDraft(userId, name)
  }

  /** For a draft of a different card than the one submitted with this key. */
  function renewKey() {
    const next = randomUuid()
    setKey(next)
    storeDraft(userId, name, draft, next)
  }

  return { draft, key, change, forget, renewKey, isRestored: restored !== undefined }
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

function storeDraft(userId: string, name: string, draft: Draft, idempotencyKey: string): void {
  const { paymentAccountInfo, submissionNotes, ...rest } = storedFields(draft)
  const texts = { paymentAccountInfo, submissionNotes }
  // A card number typed into the wrong field is still a secret.
  const harmless = Object.entries(texts).filter(([, typed]) => typed && !looksLikeCardNumber(typed))
  const json = JSON.stringify({ ...rest, ...Object.fromEntries(harmless), idempotencyKey })
  writeStored('sessionStorage', keyOf(userId, name), json)
}

function readDraft(userId: string, name: string) {
  const found = parseJson(readStored('sessionStorage', keyOf(userId, name)) ?? '')
  if (typeof found !== 'object' || !found) return undefined
  const key =
    'idempotencyKey' in found && text(found.idempotencyKey) ? String(found.idempotencyKey) : randomUuid()
  return { draft: { ...emptyDraft, ...storedFields(found) }, key }
}

function deleteDraft(userId: string, name: string): void {
  writeStored('sessionStorage', keyOf(userId, name), null)
}
