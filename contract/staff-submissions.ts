import { z } from 'zod'
import {
  BALANCE_WAIT_SECONDS,
  balanceOutcomes,
  balanceSources,
  staffBalanceSources,
} from '#domain/balance.ts'
import { BRAND_SLUG } from '#domain/brands.ts'
import { accountTypes, paymentTypes } from '#domain/payment-methods.ts'
import { payoutStates } from '#domain/payout.ts'
import { MAX_PASSED, sortOrders, views } from '#domain/queue.ts'
import { riskCodes } from '#domain/risk.ts'
import { sellerStates } from '#domain/seller-state.ts'
import { moves, statuses, UNDO_SECONDS } from '#domain/submission.ts'
import type { FieldCode } from '#words/keys.ts'
import { locales } from '#words/locales.ts'
import { policyDecision } from './policies.ts'
import { route } from './route.ts'
import { card, cardDetails, historyEntry, photoPath, photoQuery } from './submissions.ts'
import {
  dollars,
  id,
  instant,
  moment,
  money,
  optionalText,
  page,
  percent,
  searchText,
  text,
  withId,
} from './values.ts'

/** Who is working on a submission, and when the claim expires. It only informs: `version` prevents conflicting moves. */
export const claim = z.object({
  id,
  username: z.string(),
  since: instant,
  until: instant,
  assignedBy: z
    .string()
    .nullable()
    .describe('The colleague who assigned it. It then lasts a day, or until the next move'),
})
export type Claim = z.input<typeof claim>
export type ClaimAnswer = z.output<typeof claim>

/** What makes a submission suspicious. The rules are in domain/risk.ts. */
export const risk = z.object({
  code: z.enum(riskCodes),
  blocking: z.boolean().describe('Approving is refused until the risk is acknowledged'),
  message: z.string(),
  submissionId: id.nullable().describe('The other submission, if the risk comes from one'),
  acknowledged: z.object({ by: z.string(), at: instant, reason: z.string() }).nullable(),
})
export type WireRisk = z.input<typeof risk>
export type RiskAnswer = z.output<typeof risk>

/** The balance that a reviewer, or the operator's own service, found on a card. */
export const balanceCheck = z.object({
  id,
  amount: money,
  source: z.enum(balanceSources),
  note: z.string().nullable(),
  photo: z.string().nullable().describe('The path of a photo, such as a screenshot'),
  by: z.string().nullable().describe('Null with the source `connector`'),
  at: instant,
})
export type BalanceCheck = z.input<typeof balanceCheck>
export type BalanceCheckAnswer = z.output<typeof balanceCheck>

/** The latest question about a card to the brand's balance connector. */
export const balanceRequest = z.object({
  state: z
    .enum(['asking', 'late', ...balanceOutcomes])
    .describe(`\`late\`: no answer within ${BALANCE_WAIT_SECONDS} seconds so far`),
  askedAt: instant,
})
export type BalanceRequest = z.input<typeof balanceRequest>
export type BalanceRequestAnswer = z.output<typeof balanceRequest>

/** Sellers see such a submission as one that needs an account instead of as an approved or failed one. */
export const needsAccount = z
  .boolean()
  .describe(
    'The seller is asked for another account: the payout failed because of its account, or cannot leave',
  )

/** A submission as staff see it: the spec's gift card with its aliases, with masked numbers. */
export const staffSubmission = card.extend({
  id,
  sellerId: id,
  sellingPrice: money,
  quote: money,
  discountPercentage: percent,
  images: z.array(z.string()),
  imageUrl: z.array(z.string()),
  cardNumber: z.string(),
  code: z.string(),
  securityCode: z.string().nullable(),
  pin: z.string().nullable(),
  expirationDate: z.string().nullable(),
  ...cardDetails,
  submissionNotes: z.string().nullable(),
  paymentType: z.string(),
  paymentAccountName: z.string(),
  paymentAccountInfo: z.string(),
  paymentRoutingNumber: z.string().nullable(),
  paymentAccountNumber: z.string().nullable(),
  paymentAccountType: z.enum(accountTypes).nullable().describe('For bank accounts'),
  routingNumberSuspect: z
    .boolean()
    .describe('The check digit of the routing number is wrong, which only warns staff'),
  available: z.boolean(),
  verified: z.boolean(),
  quotedPrice: money.describe('The price that was first quoted'),
  offer: z
    .object({ amount: money, reason: z.string().nullable(), expiresAt: instant })
    .nullable()
    .describe('The open offer of a lower price'),
  appealed: z.boolean().describe('The seller has appealed against a rejection'),
  secondPersonNeeded: z
    .literal(true)
    .optional()
    .describe('Somebody else has to decide on the appeal. Missing in lists'),
  resubmissionOf: id.nullable().describe('The rejected submission of the same card'),
  saleId: id.nullable(),
  sale: z
    .object({
      position: z.number().int(),
      count: z.number().int(),
      previousId: id.nullable(),
      nextId: id.nullable(),
      ids: z.array(id).describe('In the order of their positions'),
    })
    .nullable()
    .describe('Its position among the cards submitted together, from 1. Removed cards do not count'),
  status: z.enum(statuses),
  statusReason: z.string().nullable(),
  rejectionReason: z.string().nullable(),
  version: z.number().int(),
  answered: z
    .boolean()
    .describe("The seller has answered staff's question, and staff have not acted on it yet"),
  possibleDuplicate: z.boolean(),
  unlistedBrand: z.boolean(),
  risks: z.array(risk).nullable().describe('Heaviest first. Null in lists, which do not look for them'),
  balanceCheck: balanceCheck.nullable().describe('The latest one'),
  balanceRequest: balanceRequest
    .optional()
    .describe('The latest one. Missing if the balance connector was never asked'),
  balanceAskable: z
    .literal(true)
    .optional()
    .describe('Its brand has a balance connector that can be asked about it. Missing otherwise'),
  policyDecisions: z
    .array(policyDecision)
    .optional()
    .describe('What policies said about it, newest first. Missing if none did'),
  balanceCheckNeeded: z.boolean().describe('The shop approves and pays it only after another check'),
  payout: z
    .object({
      id,
      number: z.number().int(),
      state: z.enum(payoutStates),
      reference: z.string().nullable(),
      sentAt: instant.nullable(),
      waitsUntil: instant
        .nullable()
        .describe('A due one is not sent before this time, because its account was changed'),
    })
    .nullable()
    .describe(
      'The latest one. Null if it was never approved, or if nothing is owed any more, except after a failed payout',
    ),
  needsAccount,
  claimedBy: claim.nullable(),
  onHold: z
    .boolean()
    .describe('A hold on it or on its seller keeps it from being erased and from being paid'),
  secretsErasedAt: instant
    .nullable()
    .describe('When the numbers, PIN, payout account and photos were erased'),
  createdAt: instant,
  updatedAt: instant,
  user: z.object({
    id,
    username: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phoneNumber: z.string().nullable(),
    createdAt: instant,
    verified: z.boolean(),
    mustConfirmEmail: z.boolean().describe('Payouts wait until the email address is confirmed'),
    state: z.enum(sellerStates),
    locale: z.enum(locales).describe('The language of the seller'),
  }),
})
export type StaffSubmission = z.input<typeof staffSubmission>
export type SubmissionAnswer = z.output<typeof staffSubmission>

/** What a reveal can show. Each entry of the audit log names what it showed; earlier entries showed everything. */
export const revealedParts = ['card_number', 'pin', 'account'] as const
export type RevealedPart = (typeof revealedParts)[number]

/** The encrypted values in full: null if there is none, or if the role may not see it. Each reveal is in the audit log. */
export const revealed = z.object({
  cardNumber: z.string().nullable(),
  securityCode: z.string().nullable(),
  paymentAccountInfo: z.string().nullable(),
  paymentRoutingNumber: z.string().nullable(),
  paymentAccountNumber: z.string().nullable(),
})
export type Revealed = z.infer<typeof revealed>

const faceValue = dollars('amount_invalid').refine(
  (cents) => cents >= 0,
  'amount_invalid' satisfies FieldCode,
)

/** The filters of a list of submissions. */
const filterFields = {
  q: searchText.optional(),
  view: z.enum(views).optional(),
  status: z.enum(statuses, { error: 'status_unknown' satisfies FieldCode }).optional(),
  brand: z
    .string()
    .regex(BRAND_SLUG, 'brand_invalid' satisfies FieldCode)
    .optional(),
  paymentType: z.enum(paymentTypes).optional(),
  minAmount: faceValue.optional().describe('The lowest face value, in dollars'),
  maxAmount: faceValue.optional().describe('The highest face value, in dollars'),
  claimed: z
    .enum(['none', 'me'])
    .optional()
    .describe('Only unclaimed submissions, or only the ones you have claimed'),
  from: moment.optional().describe('Submitted then or later'),
  to: moment.optional().describe('Submitted before then'),
}

interface Ranges {
  minAmount?: number | undefined
  maxAmount?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

function refuseReversed({ minAmount, maxAmount = Infinity, from, to }: Ranges, context: z.RefinementCtx) {
  const refuse = (path: string, message: FieldCode) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (minAmount !== undefined && minAmount > maxAmount) refuse('minAmount', 'amounts_reversed')
  if (from && to && Date.parse(from) > Date.parse(to)) refuse('from', 'times_reversed')
}

const staffList = page
  .extend({
    ...filterFields,
    sort: z
      .enum(sortOrders)
      .optional()
      .describe("By the time of submission. Without it, the view's own order, or newest first"),
    answeredFirst: z
      .literal('true')
      .optional()
      .describe('Lists answered submissions first, as the view `review` always does. Ignored with `q`'),
    cursor: z
      .union([id, z.string().regex(/^answered\.[\da-f-]{36}$/)])
      .optional()
      .describe('Where the page starts. Use the address in the `Link` header'),
  })
  .superRefine(refuseReversed)
export type StaffList = z.output<typeof staffList>

const nextFilter = z
  .object({
    ...filterFields,
    view: z.enum(views).optional().describe('By default `review`, or `pay` for payers; `all` with a status'),
    except: z
      .array(id)
      .max(MAX_PASSED)
      .optional()
      .describe('Submissions to leave out, such as ones you have skipped'),
  })
  .superRefine(refuseReversed)
export type NextFilter = z.output<typeof nextFilter>

/** For the API description: `reject` from `pending` to `rejected` (needs a reason) … */
const staffMoves = moves
  .filter(({ by }) => by === 'staff')
  .map(
    ({ name, from, to, needs }) =>
      `\`${name}\` from \`${from}\` to \`${to}\`${needs ? `, which needs a ${needs}` : ''}`,
  )
  .join('; ')

export const checkReference = z
  .boolean()
  .optional()
  .describe(
    'Refuse a confirmation number that a payout of another submission has, unless both left in one payment or file',
  )

export const move = z.object({
  status: z
    .enum(statuses, { error: 'status_unknown' satisfies FieldCode })
    .describe(`The new status. Staff's moves: ${staffMoves}`),
  reason: optionalText(2000).describe(
    'The reason or question to the seller. Sellers read the text or code of a known reason in their language',
  ),
  version: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('The version you decided on; 409 if it has changed. Required to revert a completed submission'),
  amount: dollars('offer_amount_invalid').optional().describe('With `offered`: the new price, in dollars'),
  reference: optionalText(100).describe(
    'With `completed`: the confirmation number of the payout that you sent by hand',
  ),
  checkReference,
  undoable: z
    .boolean()
    .optional()
    .describe(`Emails nobody for ${UNDO_SECONDS} seconds, in which the move can be undone`),
})

/** Minimum length of the reason for acknowledging a risk. */
export const MIN_ACKNOWLEDGEMENT = 10

export const acknowledgement = z.object({
  code: z.enum(riskCodes, { error: 'risk_unknown' satisfies FieldCode }),
  reason: text({ max: 1000, required: 'reason_required' })
    .min(MIN_ACKNOWLEDGEMENT, 'too_short' satisfies FieldCode)
    .describe('For the audit log, where anything like a card number is masked'),
})
export type Acknowledgement = z.output<typeof acknowledgement>

export const newBalanceCheck = z.object({
  amount: dollars('balance_invalid').refine((cents) => cents >= 0, 'balance_invalid' satisfies FieldCode),
  source: z.enum(staffBalanceSources, { error: 'balance_source_unknown' satisfies FieldCode }),
  note: optionalText(1000),
})
export type NewBalanceCheck = z.output<typeof newBalanceCheck>

export const staffSubmissionRoutes = {
  staffSubmissions: route({
    method: 'GET',
    path: '/api/admin/submissions',
    summary: 'All submissions, newest first, filtered and searched',
    access: 'see_submissions',
    limit: 'read',
    query: staffList,
    answers: { 200: z.array(staffSubmission) },
  }),
  queue: route({
    method: 'GET',
    path: '/api/admin/queue',
    summary: 'The number of submissions in each view',
    access: 'see_submissions',
    limit: 'read',
    answers: { 200: z.record(z.enum(views), z.number().int()) },
  }),
  claimNext: route({
    method: 'POST',
    path: '/api/admin/queue/next',
    summary:
      'Claim the oldest submission of a view that nobody has claimed and that you may decide on, or 204. Answered ones come first. Never gives one to two people',
    access: 'move',
    limit: 'write',
    body: nextFilter.nullish(),
    answers: { 200: staffSubmission, 204: z.null() },
  }),
  staffGiftCards: route({
    method: 'GET',
    path: '/api/admin/gift-cards',
    summary: 'The same list at its older address',
    access: 'see_submissions',
    limit: 'read',
    query: staffList,
    answers: { 200: z.array(staffSubmission) },
  }),
  staffSubmission: route({
    method: 'GET',
    path: '/api/admin/submissions/:id',
    summary: 'One submission',
    access: 'see_submissions',
    limit: 'read',
    params: withId,
    answers: { 200: staffSubmission },
  }),
  staffHistory: route({
    method: 'GET',
    path: '/api/admin/submissions/:id/history',
    summary: 'The history of the submission: what happened, when, and who did it, oldest first',
    access: 'see_details',
    limit: 'read',
    params: withId,
    answers: { 200: z.array(historyEntry) },
  }),
  moveSubmission: route({
    method: 'PATCH',
    path: '/api/admin/submissions/:id/status',
    summary: 'Move a submission to another status, as its table of moves allows',
    access: 'move',
    limit: 'write',
    refuses: [
      'illegal_move',
      'status_changed',
      'second_person_needed',
      'seller_held',
      'on_hold',
      'risk_not_acknowledged',
      'balance_check_needed',
      'manual_payouts_off',
      'payout_in_batch',
      'payouts_stopped',
      'payout_limit',
      'payout_sent',
      'card_gone',
      'reference_used',
    ],
    params: withId,
    body: move,
    answers: { 200: staffSubmission },
  }),
  undoMove: route({
    method: 'POST',
    path: '/api/admin/submissions/:id/undo',
    summary: 'Undo your own move that was `undoable`, before anyone is emailed',
    access: 'move',
    limit: 'write',
    refuses: ['status_changed', 'undo_too_late', 'payout_in_batch', 'payout_sent', 'card_gone'],
    params: withId,
    body: z.object({ version: z.number().int().positive().describe('The version that the move made') }),
    answers: { 200: staffSubmission },
  }),
  acknowledgeRisk: route({
    method: 'POST',
    path: '/api/admin/submissions/:id/acknowledge',
    summary: 'Acknowledge a risk with a reason, which the audit log records',
    access: 'decide',
    limit: 'write',
    refuses: ['risk_gone'],
    params: withId,
    body: acknowledgement,
    answers: { 200: staffSubmission },
  }),
  balanceChecks: route({
    method: 'GET',
    path: '/api/admin/submissions/:id/balance-checks',
    summary: 'The newest balance checks of the card, newest first',
    access: 'see_details',
    limit: 'read',
    params: withId,
    answers: { 200: z.array(balanceCheck) },
  }),
  recordBalanceCheck: route({
    method: 'POST',
    path: '/api/admin/submissions/:id/balance-checks',
    summary: 'Record the balance found on the card, with a photo if sent as a form',
    access: 'decide',
    limit: 'write',
    refuses: ['erased'],
    params: withId,
    body: newBalanceCheck,
    multipart: 'or_json',
    photo: true,
    answers: { 201: balanceCheck },
  }),
  askBalance: route({
    method: 'POST',
    path: '/api/admin/submissions/:id/balance-requests',
    summary:
      "Send number and PIN to the brand's balance connector. The result follows on the live channel. Counts as a reveal, and the audit log records it. While one is asked, nothing is sent again",
    access: 'decide',
    limit: 'reveal',
    refuses: ['balance_not_askable'],
    params: withId,
    answers: { 202: staffSubmission },
  }),
  reveal: route({
    method: 'POST',
    path: '/api/admin/submissions/:id/reveal',
    summary: 'Reveal the encrypted values that the role may see, which the audit log records',
    access: 'reveal',
    limit: 'reveal',
    refuses: ['erased', 'unreadable'],
    params: withId,
    answers: { 200: revealed },
  }),
  viewPhoto: route({
    method: 'GET',
    path: '/api/admin/view/*',
    summary:
      'Open a photo. The first view of a photo of the submission in 24 hours, in any size, counts as a reveal, which the audit log records and the seller reads',
    access: 'reveal_cards',
    limit: 'read',
    refuses: ['unreadable'],
    params: photoPath,
    query: photoQuery.extend({
      ahead: z
        .literal('true')
        .optional()
        .describe(
          'A thumbnail that is loaded before its submission is opened. The audit log says so, and the seller is not told that somebody looked',
        ),
    }),
    answers: {},
    file: 'image/jpeg',
  }),
  downloadPhoto: route({
    method: 'GET',
    path: '/api/admin/download/*',
    summary: 'Download a photo. Counts as a reveal, and the audit log records it',
    access: 'reveal_cards',
    limit: 'read',
    refuses: ['unreadable'],
    params: photoPath,
    answers: {},
    file: 'image/jpeg',
  }),
}
