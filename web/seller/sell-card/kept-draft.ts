import { cardConditions, cardFormats } from '#domain/card.ts'
import { looksLikeCardNumber } from '#domain/card-number.ts'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { readStored, writeStored } from '#web/kit/store.ts'
import { parseJson } from '#web/wire/errors.ts'
import { randomUuid } from '#web/wire/random-uuid.ts'
import { type Draft, emptyDraft } from './draft.ts'

const text = (value: unknown) => typeof value === 'string'
const oneOf = (allowed: readonly string[]) => (value: unknown) =>
  text(value) && allowed.includes(String(value))

/**
 * What of a draft is written down, and what it may hold. What can be turned into money is not: neither the card's
 * number and PIN nor the numbers of a bank account.
 */
const kept: Partial<Record<keyof Draft, (value: unknown) => boolean>> = {
  expirationDate: text,
  cardFormat: oneOf(cardFormats),
  cardCondition: oneOf(cardConditions),
  submissionNotes: text,
  paymentMethodId: text,
  paymentType: oneOf(['', ...paymentTypesOn('submission')]),
  paymentAccountName: text,
  paymentAccountInfo: text,
}

/** Only what may be kept, and of that what is as it has to be. */
function onlyKept(draft: object): Partial<Draft> {
  const given = Object.entries(draft).filter(([name, value]) => kept[name as keyof Draft]?.(value))
  return Object.fromEntries(given)
}

/** Kept as long as the tab, for one person and one brand. */
const keyOf = (userId: string, brand: string) => `draft:${userId}:${brand}`

export function keepDraft(userId: string, brand: string, draft: Draft, idempotencyKey: string): void {
  const { paymentAccountInfo, submissionNotes, ...rest } = onlyKept(draft)
  const texts = { paymentAccountInfo, submissionNotes }
  // A number that was typed into the wrong field is no less secret there.
  const harmless = Object.entries(texts).filter(([, typed]) => typed && !looksLikeCardNumber(typed))
  const json = JSON.stringify({ ...rest, ...Object.fromEntries(harmless), idempotencyKey })
  writeStored('sessionStorage', keyOf(userId, brand), json)
}

/** The draft as it was kept, with its key; undefined when there is none. */
export function keptDraft(userId: string, brand: string) {
  const found = parseJson(readStored('sessionStorage', keyOf(userId, brand)) ?? '')
  if (typeof found !== 'object' || !found) return undefined
  const key =
    'idempotencyKey' in found && text(found.idempotencyKey) ? String(found.idempotencyKey) : randomUuid()
  return { draft: { ...emptyDraft, ...onlyKept(found) }, key }
}

export function forgetDraft(userId: string, brand: string): void {
  writeStored('sessionStorage', keyOf(userId, brand), null)
}
