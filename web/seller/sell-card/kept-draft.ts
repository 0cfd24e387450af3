import { z } from 'zod'
import { cardConditions, cardFormats } from '#domain/card.ts'
import { looksLikeCardNumber } from '#domain/card-like.ts'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { parseJson } from '../../api/errors.ts'
import { type Draft, emptyDraft } from './draft.ts'

/**
 * What of a draft is written down. What can be turned into money is not: neither the card's number and PIN nor
 * the numbers of a bank account.
 */
const kept = z
  .object({
    expirationDate: z.string(),
    cardFormat: z.enum(cardFormats),
    cardCondition: z.enum(cardConditions),
    submissionNotes: z.string(),
    paymentMethodId: z.string().optional(),
    paymentType: z.enum(['', ...paymentTypesOn('submission')]),
    paymentAccountName: z.string(),
    paymentAccountInfo: z.string(),
  })
  .partial()

/** Kept as long as the tab, for one person and one brand. */
const keyOf = (userId: string, brand: string) => `draft:${userId}:${brand}`

export function keepDraft(userId: string, brand: string, draft: Draft): void {
  const { paymentAccountInfo, submissionNotes, ...rest } = kept.parse(draft)
  const texts = { paymentAccountInfo, submissionNotes }
  // A number that was typed into the wrong field is no less secret there.
  const harmless = Object.entries(texts).filter(([, text]) => text && !looksLikeCardNumber(text))
  withStorage((storage) =>
    storage.setItem(keyOf(userId, brand), JSON.stringify({ ...rest, ...Object.fromEntries(harmless) })),
  )
}

/** The draft as it was kept; undefined when there is none. */
export function keptDraft(userId: string, brand: string): Draft | undefined {
  const text = withStorage((storage) => storage.getItem(keyOf(userId, brand)))
  const found = kept.safeParse(parseJson(text ?? ''))
  if (!found.success) return undefined
  const given = Object.entries(found.data).filter(([, value]) => value !== undefined)
  return { ...emptyDraft, ...Object.fromEntries(given) }
}

export function forgetDraft(userId: string, brand: string): void {
  withStorage((storage) => storage.removeItem(keyOf(userId, brand)))
}

/** Storage can be switched off or full: then a reload forgets, and nothing else happens. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
