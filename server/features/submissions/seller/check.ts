import { type SubmissionFields, submissionFields } from '#contract/submissions.ts'
import { type CardFormat, cardFormats } from '#domain/card.ts'
import { toDecimal } from '#domain/money.ts'
import { type PaymentType, paymentTypes } from '#domain/payment-methods.ts'
import { brandToSell, type Quote, quoteCents } from '#domain/quote.ts'
import { submissionProblems } from '#domain/submission-form.ts'
import type { Terms } from '#server/context.ts'
import { zodErrors } from '#server/http/errors.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'

/** The parsed fields of a submission. Throws a refusal with all problems: the form's in the spec's order, then the server's. */
export function checkFields(raw: Readonly<Record<string, string>>, photos: number): SubmissionFields {
  const problems = submissionProblems({
    brand: raw.brand ?? '',
    cardFormat: oneOf<CardFormat>(cardFormats, raw.cardFormat),
    photos,
    cardNumber: raw.cardNumber ?? '',
    expirationDate: raw.expirationDate ?? '',
    paymentType: oneOf<PaymentType>(paymentTypes, raw.paymentType),
    paymentAccountName: raw.paymentAccountName ?? '',
    paymentAccountInfo: raw.paymentAccountInfo ?? '',
    paymentRoutingNumber: raw.paymentRoutingNumber ?? '',
    paymentAccountNumber: raw.paymentAccountNumber ?? '',
  })
  const errors = new Map(problems.map(({ field, message }) => [field as string, message]))
  const parsed = submissionFields.safeParse({ ...raw })
  for (const { path, message } of parsed.success ? [] : zodErrors(parsed.error)) {
    if (!errors.has(path)) errors.set(path, message)
  }
  if (errors.size > 0) throw invalid([...errors].map(([path, message]) => ({ path, message })))
  // Without errors it was parsed.
  return parsed.data as SubmissionFields
}

function oneOf<T extends string>(choices: readonly T[], value: string | undefined): T | undefined {
  return choices.find((choice) => choice === value)
}

/** The quote under the current terms, or under recent ones if the client showed that. Throws a refusal with the current quote. */
export function checkQuote(
  { brand: slug, denomination, sellingPrice }: SubmissionFields,
  terms: Pick<Terms, 'brands' | 'earlier'>,
): Quote {
  const brand = brandToSell(slug, terms.brands)
  if (!brand) throw invalid([{ path: 'brand', message: 'Invalid brand selected' }])
  const { quote, problem, at } = quoteCents(brand, denomination)
  if (quote?.pays === sellingPrice) return quote
  for (const before of terms.earlier(slug)) {
    const shown = quoteCents(before, denomination).quote
    if (shown?.pays === sellingPrice) return shown
  }
  if (!quote) throw invalid([{ path: at, message: problem }])
  const message = `The quote for this card is now $${toDecimal(quote.pays)}`
  throw new Refusal('quote_changed', message, { errors: [{ path: 'sellingPrice', message }] })
}
