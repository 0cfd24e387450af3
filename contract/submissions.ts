import { z } from 'zod'
import { BRAND_SLUG } from '#domain/brands.ts'
import { cardConditions, cardFormats, EXPIRATION_DATE } from '#domain/card.ts'
import { accountTypes, paymentTypes } from '#domain/payment-methods.ts'
import { CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import { roles } from '#domain/roles.ts'
import { APPEAL_DAYS, historyNames, type MoveName } from '#domain/submission.ts'
import { MAX_SALE_CARDS } from '#domain/submission-form.ts'
import type { FieldCode } from '#words/keys.ts'
import { payoutAccount } from './payment-methods.ts'
import { route } from './route.ts'
import {
  atMost,
  dollars,
  id,
  instant,
  line,
  money,
  optionalText,
  page,
  percent,
  text,
  withId,
} from './values.ts'

/** How a cancelled submission ended: one of the moves that cancel. */
export const endings = ['withdraw', 'decline', 'expire'] as const satisfies readonly MoveName[]

const optionalChoice = <const T extends readonly [string, ...string[]]>(choices: T, error: FieldCode) =>
  z
    .union([z.literal(''), z.enum(choices)], { error })
    .optional()
    .transform((value) => value || undefined)

/** The fields of a submission besides its photos. Errors come in this order. */
export const submissionFields = z.object({
  brand: text({ max: 50, required: 'brand_required' }).regex(BRAND_SLUG, 'brand_invalid' satisfies FieldCode),
  denomination: dollars('amount_invalid').describe('The face value, in dollars'),
  sellingPrice: dollars('selling_price_invalid').describe('The quote the seller saw'),
  discountPercentage: dollars('discount_invalid').describe('100 minus the rate'),
  paymentType: z.enum(paymentTypes, { error: 'payment_type_required' satisfies FieldCode }),
  paymentAccountName: line({ max: 100, required: 'account_name_required' }),
  paymentAccountInfo: optionalText(255),
  paymentRoutingNumber: optionalText(34),
  paymentAccountNumber: optionalText(34),
  paymentAccountType: optionalChoice(accountTypes, 'account_type_unknown').describe(
    'For bank accounts. `checking` by default',
  ),
  cardNumber: text({ max: 64, required: 'card_number_required' }).describe(
    '`N/A` if it has none. A resubmission may leave it out if `numbersKept` says so',
  ),
  securityCode: optionalText(64),
  expirationDate: optionalText(10).refine(
    (date) => date === undefined || EXPIRATION_DATE.test(date),
    'expiration_date_invalid' satisfies FieldCode,
  ),
  cardFormat: optionalChoice(cardFormats, 'card_format_unknown'),
  cardCondition: optionalChoice(cardConditions, 'card_condition_unknown'),
  submissionNotes: optionalText(1000),
  paymentMethodId: optionalText(64).describe('A saved payment method, instead of the payment fields'),
  resubmissionOf: z
    .union([z.literal(''), z.uuid('resubmission_unknown' satisfies FieldCode)])
    .optional()
    .transform((value) => value || undefined)
    .describe(
      'The rejected submission of the same card. If it was rejected for its photos, send one that it did not have',
    ),
  saleId: z
    .union([z.literal(''), z.uuid('sale_unknown' satisfies FieldCode)])
    .optional()
    .transform((value) => value || undefined)
    .describe(`A UUID of your choice that groups cards submitted together, at most ${MAX_SALE_CARDS}`),
  saleCards: atMost(MAX_SALE_CARDS)
    .optional()
    .describe('How many cards the sale will have. The last one sends its receipt'),
})
export type SubmissionFields = z.output<typeof submissionFields>

/** The form as sent: a saved payment method replaces the payment fields. */
export const submissionForm = submissionFields.partial({ paymentType: true, paymentAccountName: true })

/** What a seller can do about a submission, and how it ended. */
const sellerOptions = {
  offer: z
    .object({
      amount: money,
      reason: z.string().nullable(),
      expiresAt: instant,
      balance: money.nullable().describe('What staff found on the card, if it is less than the face value'),
    })
    .nullable()
    .describe('A lower price that staff offer, to accept or decline'),
  appealed: z.boolean().describe('The seller has appealed against a rejection'),
  appealUntil: instant.nullable().describe('Until when a rejection can be appealed. Null if it cannot'),
  resubmittable: z.boolean().describe('Whether this rejected card can be submitted again'),
  numbersKept: z
    .boolean()
    .describe(
      'Whether a resubmission without a card number gets the number, PIN and expiration date of this one',
    ),
  resubmission: z
    .object({ id, createdAt: instant })
    .nullable()
    .describe('The submission in which the seller sent this rejected card again'),
  ending: z.enum(endings).nullable().describe('How a cancelled submission ended'),
  toReview: id
    .nullable()
    .describe(
      'The transaction to send to `/api/reviews`. Null unless it was paid lately and its sale has no review',
    ),
}

const reasonCode = z
  .string()
  .nullable()
  .describe('The code of `statusReason`. Null if staff wrote the reason themselves')

/** The money for an approved submission, as its seller sees it. */
export const sellerPayout = z.object({
  state: z
    .enum(['due', 'sent', 'paid', 'returned', 'failed'])
    .describe('`sent` is on its way; `returned` came back; `failed` was not sent because of its account'),
  amount: money.describe('The amount to send: the price minus `deducted`'),
  deducted: money.describe('What the seller owed for bad cards'),
  paymentType: z.enum(paymentTypes),
  account: z.string().describe('Masked'),
  reference: z
    .string()
    .describe('The confirmation number of the bank or service, or the end of our own, such as 8F2K'),
  isConfirmed: z.boolean().describe('Whether `reference` is from the bank or service'),
  together: z
    .object({ others: z.number().int(), amount: money })
    .nullable()
    .describe('How many other cards were paid with the same payment, and its amount'),
  sentAt: instant.nullable(),
  expectedOn: z.iso.date().nullable().describe('When the money should arrive'),
  paidAt: instant.nullable(),
  returnReason: z
    .string()
    .nullable()
    .describe(
      'Why the account was refused. Null if only the routing number is wrong: see `routingNumberSuspect`',
    ),
  needsAccount: z
    .boolean()
    .describe(
      'It came back or failed, its account was refused, or its routing number is wrong: the seller has to enter another account',
    ),
  mayCorrectName: z
    .boolean()
    .describe('Only the name was wrong: the same account is accepted with another `accountName`'),
  waitsUntil: instant.nullable().describe('Not sent before this time, because its account was changed'),
  isUnclaimed: z
    .boolean()
    .describe('The service holds the money for 30 days, because nobody has an account with this address'),
})
export type SellerPayout = z.input<typeof sellerPayout>
export type SellerPayoutAnswer = z.output<typeof sellerPayout>

const saleId = id.nullable().describe('Cards with the same one were submitted together')

const payout = sellerPayout
  .nullable()
  .describe('Null unless the submission is approved or completed, or failed because of its account')

export const card = z.object({ brand: z.string(), brandName: z.string(), denomination: money })

/** The seller's own transaction. */
export const transaction = z.object({
  id,
  giftCardId: id,
  saleId,
  sellerId: id,
  buyerId: id.nullable(),
  type: z.literal('sell'),
  giftCard: card.extend({ cardNumber: z.string().describe('Masked') }),
  amount: money,
  paymentType: z.string(),
  paymentAccountName: z.string(),
  paymentAccountInfo: z.string(),
  account: z.string().describe('The payout account, masked'),
  status: z.string(),
  statusReason: z.string().nullable(),
  reasonCode,
  ...sellerOptions,
  payout,
  createdAt: instant,
  updatedAt: instant,
})
export type Transaction = z.input<typeof transaction>
export type TransactionAnswer = z.output<typeof transaction>

/** What a seller has earned and is waiting for, over all transactions. */
export const earnings = z.object({
  totalEarned: money,
  totalTransactions: z.number().int(),
  pendingCount: z.number().int(),
})
export type Earnings = z.input<typeof earnings>

/** What the seller says about a card besides its value and its number. Seen by the seller, and by staff who may see details. */
export const cardDetails = {
  cardFormat: z.string().nullable(),
  cardCondition: z.string().nullable(),
}
export type CardDetails = z.input<z.ZodObject<typeof cardDetails>>

/** What the shop's own service finds on a card under review, live. */
export const sellerBalance = z.object({
  state: z
    .enum(['checking', 'found', 'by_person'])
    .describe('`by_person`: staff check it, as without a service'),
  amount: money.nullable().describe('What was found'),
})
export type SellerBalance = z.input<typeof sellerBalance>

/** A submission as its seller sees it, with the seller's word for the status. */
export const sellerSubmission = card.extend({
  id,
  saleId,
  idempotencyKey: z.string().nullable().describe('The Idempotency-Key of the request that submitted it'),
  sellerId: id,
  sellingPrice: money,
  quotedPrice: money.describe('The price that was first quoted'),
  discountPercentage: percent,
  available: z.boolean(),
  verified: z.boolean(),
  status: z.string(),
  statusReason: z.string().nullable(),
  reasonCode,
  ...sellerOptions,
  payout,
  balanceCheck: sellerBalance
    .optional()
    .describe('Only while it is pending, for brands with a balance connector'),
  checkedAutomatically: z.literal(true).optional().describe('A policy approved it. Missing otherwise'),
  notes: z.string().nullable(),
  routingNumberSuspect: z
    .boolean()
    .describe('The check digit of the routing number is wrong, so the seller is asked for another account'),
  accountRefusal: z
    .string()
    .nullable()
    .describe(
      'Before the approval: why a payment to its account was refused, so the seller is asked for another account',
    ),
  cardNumber: z.string(),
  ...cardDetails,
  paymentType: z.string(),
  paymentAccountName: z.string(),
  account: z.string().describe('The payout account, masked'),
  paymentAccountType: z.enum(accountTypes).nullable().describe('For bank accounts'),
  pinGiven: z.boolean().describe('Whether it has a PIN or redemption code'),
  resubmissionOf: id.nullable().describe('The rejected submission of the same card'),
  images: z.array(z.string()),
  createdAt: instant,
  updatedAt: instant,
})
export type SellerSubmission = z.input<typeof sellerSubmission>
export type OwnSubmissionAnswer = z.output<typeof sellerSubmission>

const expectedDay = z.object({
  paymentType: z.enum(paymentTypes),
  expectedOn: z.iso.date(),
  isOver: z
    .literal(true)
    .optional()
    .describe('The card was approved, and the day is over. Missing otherwise'),
  isReviewedAgain: z
    .literal(true)
    .optional()
    .describe('The card is in review again, after an answer, an appeal or an offer. Missing otherwise'),
})

/** Some of the seller's cards whose payouts need another account. */
const accountCards = z.object({
  count: z.number().int(),
  amount: money.describe('The sum to send'),
  undecided: z
    .number()
    .int()
    .optional()
    .describe(
      'More cards, which are not decided yet and so not in `count` and `amount`. Missing if there are none, or no others',
    ),
})

const changedAccount = sellerSubmission.extend({
  accountChanged: accountCards.describe('The cards that will be paid to the new account'),
})
export type ChangedAccountAnswer = z.output<typeof changedAccount>

/** An appeal against a rejection. */
export const appealForm = z.object({
  message: text({ max: 2000, required: 'appeal_required' }).min(10, 'appeal_too_short' satisfies FieldCode),
})

/** A seller's answer to staff's question. */
export const answerForm = z.object({
  message: optionalText(2000).describe('Optional if there is at least one photo'),
})

export const submitted = z.object({ transaction, giftCard: sellerSubmission })

/** One move of a submission, or what happened to its payout without one. `from` is null for the first entry. */
export const historyEntry = z.object({
  from: z.string().nullable(),
  to: z.string(),
  at: instant,
  by: z.string(),
  move: z.enum(historyNames).describe('The move, or what else happened'),
  amount: money.optional().describe('The price that the move offered or set'),
  reason: z.string().optional(),
  needsAccount: z.literal(true).optional().describe('The payout failed because of its account'),
  policy: z
    .object({ name: z.string(), version: z.number().int() })
    .optional()
    .describe('For staff: the policy that made the move'),
  images: z.array(z.string()).optional().describe('Paths of the photos sent with an answer'),
})
export type HistoryEntry = z.input<typeof historyEntry>
export type HistoryAnswer = z.output<typeof historyEntry>

/** What staff can look at. */
export const seenParts = ['card_number', 'pin', 'photo', 'account'] as const
export type SeenPart = (typeof seenParts)[number]

/** One time that a member of staff looked at something encrypted, or that the shop's own service was asked for the balance. */
export const sellerReveal = z.object({
  at: instant,
  role: z.enum([...roles, 'balance_service']),
  what: z.array(z.enum(seenParts)),
})
export type SellerReveal = z.output<typeof sellerReveal>

export const photoPath = z.object({ '*': z.string().max(255) })
export const photoQuery = z.object({ size: z.enum(['full', 'thumbnail']).default('full') })

export const submissionRoutes = {
  submitGiftCard: route({
    method: 'POST',
    path: '/api/gift-cards',
    summary: 'Submit a card with its photos (images). Send an Idempotency-Key',
    access: 'seller',
    limit: 'submit',
    refuses: ['quote_changed', 'key_reused', 'submission_cleared', 'taken', 'seller_blocked', 'unreadable'],
    idempotencyKey: true,
    body: submissionForm,
    multipart: true,
    answers: {
      201: submitted,
      200: submitted.describe('Already sent with this Idempotency-Key; returns the first result'),
    },
  }),
  draftKey: route({
    method: 'GET',
    path: '/api/user/draft-key',
    summary:
      'The key with which the browser seals what this session has not submitted yet. It ends with the session',
    access: 'seller',
    limit: 'read',
    answers: { 200: z.object({ key: z.string().describe('32 bytes in base64') }) },
  }),
  myTransactions: route({
    method: 'GET',
    path: '/api/my-transactions',
    summary: "The seller's transactions, newest first",
    access: 'seller',
    limit: 'read',
    query: page,
    answers: { 200: z.array(transaction) },
  }),
  myEarnings: route({
    method: 'GET',
    path: '/api/user/earnings',
    summary: "Sums over all of the seller's transactions",
    access: 'seller',
    limit: 'read',
    answers: { 200: earnings },
  }),
  mySubmissions: route({
    method: 'GET',
    path: '/api/user/gift-cards',
    summary:
      "The seller's submissions, newest first. Set open to leave out those with a final status, except payouts that need another account, or saleId for the cards of one sale in the order of submission",
    access: 'seller',
    limit: 'read',
    query: page.extend({ open: z.literal('true').optional(), saleId: id.optional() }),
    answers: { 200: z.array(sellerSubmission) },
  }),
  mySubmission: route({
    method: 'GET',
    path: '/api/user/gift-cards/:id',
    summary: "One of the seller's submissions",
    access: 'seller',
    limit: 'read',
    params: withId,
    answers: { 200: sellerSubmission },
  }),
  expectedPayoutDays: route({
    method: 'GET',
    path: '/api/user/expected-payout-days',
    summary:
      'By when the money for a card that is submitted now should arrive, if it is approved without questions. With giftCardId, for a card in review or approved. Without payment types whose arrival varies',
    access: 'seller',
    limit: 'read',
    query: z.object({ giftCardId: id.optional() }),
    refuses: ['not_found'],
    answers: { 200: z.array(expectedDay) },
  }),
  myReveals: route({
    method: 'GET',
    path: '/api/user/gift-cards/:id/reveals',
    summary: 'When staff looked at the number, PIN, photos or payout account, newest first, at most 200',
    access: 'seller',
    limit: 'read',
    params: withId,
    answers: { 200: z.array(sellerReveal) },
  }),
  myHistory: route({
    method: 'GET',
    path: '/api/user/gift-cards/:id/history',
    summary: 'The history of the submission, oldest first',
    access: 'seller',
    limit: 'read',
    params: withId,
    answers: { 200: z.array(historyEntry) },
  }),
  withdraw: route({
    method: 'POST',
    path: '/api/user/gift-cards/:id/withdraw',
    summary: 'Withdraw a submission that is not approved yet',
    access: 'seller',
    limit: 'write',
    refuses: ['illegal_move'],
    params: withId,
    answers: { 200: sellerSubmission },
  }),
  acceptOffer: route({
    method: 'POST',
    path: '/api/user/gift-cards/:id/accept',
    summary: 'Accept the offered price',
    access: 'seller',
    limit: 'write',
    refuses: ['illegal_move', 'offer_changed'],
    params: withId,
    body: z.object({ amount: dollars('offer_amount_invalid').describe('The offer that the seller saw') }),
    answers: { 200: sellerSubmission },
  }),
  declineOffer: route({
    method: 'POST',
    path: '/api/user/gift-cards/:id/decline',
    summary: 'Decline the offered price, which ends the submission',
    access: 'seller',
    limit: 'write',
    refuses: ['illegal_move'],
    params: withId,
    answers: { 200: sellerSubmission },
  }),
  appeal: route({
    method: 'POST',
    path: '/api/user/gift-cards/:id/appeal',
    summary: `Appeal against a rejection, once and within ${APPEAL_DAYS} days, with a message and photos (images)`,
    access: 'seller',
    limit: 'submit',
    refuses: ['illegal_move', 'erased'],
    params: withId,
    body: appealForm,
    multipart: true,
    answers: { 200: sellerSubmission },
  }),
  answer: route({
    method: 'POST',
    path: '/api/user/gift-cards/:id/answer',
    summary: "Answer staff's question with a message, more photos (images), or both",
    access: 'seller',
    limit: 'submit',
    refuses: ['illegal_move'],
    params: withId,
    body: answerForm,
    multipart: true,
    answers: { 200: sellerSubmission },
  }),
  sameAccount: route({
    method: 'GET',
    path: '/api/user/gift-cards/:id/payout-account',
    summary:
      'How many cards were to be paid to the failed account of this card, this one included, and what is owed for them',
    access: 'seller',
    limit: 'read',
    params: withId,
    answers: { 200: accountCards },
  }),
  changePayoutAccount: route({
    method: 'POST',
    path: '/api/user/gift-cards/:id/payout-account',
    summary: `Name another account after the payout came back, or while it is due to an account that was refused before. It waits ${CHANGED_ACCOUNT_HOURS} hours. Before the approval, replace an account that was refused or has a wrong routing number`,
    access: 'seller',
    limit: 'account',
    refuses: ['illegal_payout_move', 'erased', 'unreadable'],
    params: withId,
    body: payoutAccount,
    answers: { 200: changedAccount },
  }),
  myPhoto: route({
    method: 'GET',
    path: '/api/user/images/*',
    summary: 'A photo of your own submission',
    access: 'seller',
    limit: 'read',
    refuses: ['unreadable'],
    params: photoPath,
    query: photoQuery,
    answers: {},
    file: 'image/jpeg',
  }),
}
