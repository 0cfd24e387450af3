import { type SubmissionFields, submissionFields } from '#contract/submissions.ts'
import { type CardFormat, cardFormats } from '#domain/card.ts'
import { toDollars } from '#domain/money.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { brandToSell, type Quote, quoteCents } from '#domain/quote.ts'
import { type SubmissionForm, submissionProblems } from '#domain/submission-form.ts'
import type { Terms } from '#server/context.ts'
import { parseSent } from '#server/http/errors.ts'
import { invalid, refusedFields } from '#server/http/refusal.ts'

/** The parsed fields of a submission. Throws a refusal with all problems: the form's in the spec's order, then the server's. */
export function checkFields(
  raw: Readonly<Record<string, string>>,
  {
    payoutMethods,
    ...photos
  }: Pick<SubmissionForm, 'photos' | 'lacksNewPhoto'> & { payoutMethods: readonly PaymentType[] },
): SubmissionFields {
  const problems = submissionProblems({
    brand: raw.brand ?? '',
    cardFormat: oneOf<CardFormat>(cardFormats, raw.cardFormat),
    ...photos,
    cardNumber: raw.cardNumber ?? '',
    securityCode: raw.securityCode ?? '',
    expirationDate: raw.expirationDate ?? '',
    paymentType: oneOf(payoutMethods, raw.paymentType),
    paymentAccountName: raw.paymentAccountName ?? '',
    paymentAccountInfo: raw.paymentAccountInfo ?? '',
    paymentRoutingNumber: raw.paymentRoutingNumber ?? '',
    paymentAccountNumber: raw.paymentAccountNumber ?? '',
  })
  const wrong = new Set<string>(problems.map(({ field }) => field))
  const { data, problems: more = [] } = parseSent(submissionFields, { ...raw })
  if (problems.length > 0 || !data) {
    throw invalid([
      ...problems.map(({ field, code }) => ({ path: field, code })),
      ...more.filter(({ path }) => !wrong.has(path)),
    ])
  }
  return data
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
  if (!brand) throw invalid([{ path: 'brand', code: 'brand_invalid' }])
  const { quote, problem } = quoteCents(brand, denomination)
  if (quote?.pays === sellingPrice) return quote
  for (const before of terms.earlier(slug)) {
    const shown = quoteCents(before, denomination).quote
    if (shown?.pays === sellingPrice) return shown
  }
  if (!quote) throw invalid([problem])
  const params = { quote: toDollars(quote.pays) }
  throw refusedFields('quote_changed', [{ path: 'sellingPrice', code: 'quote_changed', params }])
}
