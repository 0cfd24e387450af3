import { z } from 'zod'
import { accountTypes, paymentTypes } from '#domain/payment-methods.ts'
import {
  automaticStates,
  batchProblems,
  batchStates,
  CHANGED_ACCOUNT_HOURS,
  fileKinds,
  MAX_FEE,
  payoutStates,
  voidReasons,
} from '#domain/payout.ts'
import {
  cashProblems,
  providerProblems,
  providerStates,
  providers,
  waitingItemStates,
} from '#domain/payout-provider.ts'
import type { FieldCode } from '#words/keys.ts'
import { locales } from '#words/locales.ts'
import { route } from './route.ts'
import { checkReference } from './staff-submissions.ts'
import {
  atMost,
  dollars,
  done,
  id,
  instant,
  isUsualYear,
  money,
  optionalText,
  searchText,
  text,
  withId,
} from './values.ts'

export const payout = z.object({
  id,
  number: z.number().int().describe('Counts up; the order of lists'),
  submissionId: id,
  brandName: z.string(),
  sellerId: id,
  username: z.string(),
  locale: z.enum(locales).describe('The language of the seller'),
  amount: money.describe('The amount to send: the price minus `deducted`'),
  deducted: money.describe('What the seller owed for bad cards. Negative if too much was deducted before'),
  paymentType: z.enum(paymentTypes),
  accountName: z
    .string()
    .nullable()
    .describe(
      'The holder of the account. Null if the card has a newer payout, which may be to another account',
    ),
  account: z.string().describe('Masked'),
  accountType: z.enum(accountTypes).nullable().describe('For bank accounts, as `accountName`'),
  state: z.enum(payoutStates),
  problem: z
    .enum(batchProblems)
    .nullable()
    .describe(
      'Why a due payout cannot be in a batch, or one in a batch keeps the batch from being frozen, released or sent',
    ),
  batchId: id.nullable(),
  batchNumber: z.number().int().nullable(),
  reference: z.string().nullable().describe('The confirmation number of the bank or service'),
  entry: z
    .object({ number: z.number().int(), count: z.number().int(), total: money })
    .nullable()
    .describe(
      'The payment with which it leaves together with other payouts of its seller, by the number of the first one. Set when the batch is frozen',
    ),
  paidBefore: z
    .object({
      reference: z.string().nullable(),
      sentAt: instant.describe('Of an abandoned batch: when the provider first reported it'),
      notSentAt: instant.nullable(),
      abandonedBatch: z.number().int().nullable().describe('Its number, if the provider has paid that'),
    })
    .nullable()
    .describe(
      'The payment of this submission that was reverted (by hand) or abandoned (by a provider), and when a payer said that it was not sent',
    ),
  byHand: z.boolean().describe('Paid outside a batch'),
  automatic: z
    .enum(automaticStates)
    .nullable()
    .describe(
      'For a payout that a policy pays at once. `asking`: its balance is checked again. `batched`: it was paid automatically. Others: why a person has to pay it',
    ),
  dueAt: instant,
  batchableAt: instant.describe(`A changed account waits ${CHANGED_ACCOUNT_HOURS} hours`),
  expectedOn: z.iso.date().nullable().describe('When the money should arrive'),
  sentAt: instant.nullable(),
  providerState: z
    .enum(waitingItemStates)
    .nullable()
    .describe(
      'What a payout waits for that a provider has sent. `unclaimed`: nobody has the address; after 30 days it comes back',
    ),
  voidReason: z.enum(voidReasons).nullable().describe('Why a void payout is no longer owed, if known'),
  voided: z
    .object({
      by: z.string(),
      at: instant,
      reason: z.string().nullable(),
      reasonCode: z.string().nullable().describe('Null if staff wrote the reason themselves'),
    })
    .nullable()
    .describe(
      'Who made the move of its submission that voided it, when, and the reason that the seller reads if it failed',
    ),
  needsAccount: z
    .boolean()
    .describe('It failed because of its account, so the seller is asked for another one'),
  replacedBy: z
    .object({ id, number: z.number().int() })
    .nullable()
    .describe('The payout with which a void or returned one is paid after all'),
  paidAt: instant.nullable(),
  returnedAt: instant.nullable(),
  returnCode: z.string().nullable().describe("The bank's or service's code, such as R03"),
  returnReason: z.string().nullable().describe('What the code means, or what staff wrote'),
  changeCode: z
    .string()
    .nullable()
    .describe(
      'The code, such as C01, if the bank has different details for the account. Revealing the account shows them',
    ),
  deadAccount: z
    .object({ code: z.string().nullable(), reason: z.string(), since: instant })
    .nullable()
    .describe('A bank or service refused the account. It is not paid in a batch until a payer lifts that'),
  cameBack: z
    .object({ at: instant, code: z.string().nullable(), reason: z.string() })
    .nullable()
    .describe(
      'For a payout that is due or in a batch that was not released: an earlier payout of the seller to this account came back, which does not stop the account. No later one arrived',
    ),
  sameAccount: z
    .object({ count: z.number().int(), total: money })
    .optional()
    .describe(
      'Other payouts to this account that its seller waits for and that have not left. Left out of lists, and if it has left or is void',
    ),
  prenote: z
    .object({ sentAt: instant.nullable(), payableOn: z.iso.date().nullable() })
    .nullable()
    .describe(
      'The prenote of the account: when its file was exported, and the first day on which the account can be paid. Null values: the file has not left',
    ),
})
export type WirePayout = z.input<typeof payout>
export type PayoutAnswer = z.output<typeof payout>

/** A payout with its account in full. Each reveal is in the audit log. */
export const revealedPayout = payout.extend({
  accountInfo: z.string(),
  routingNumber: z.string().nullable(),
  accountNumber: z.string().nullable(),
  correction: z.string().nullable().describe('The details that the bank has on file, as it wrote them'),
})
export type RevealedPayout = z.input<typeof revealedPayout>

export const payoutBatch = z.object({
  id,
  number: z.number().int(),
  paymentType: z.enum(paymentTypes).nullable().describe('Null if it has several; see `paymentTypes`'),
  paymentTypes: z.array(z.enum(paymentTypes)),
  file: z.enum(fileKinds),
  state: z.enum(batchStates),
  onePerSeller: z.boolean().describe('Payouts of one seller to the same account leave as one payment'),
  paymentCount: z
    .number()
    .int()
    .describe('Payments that leave, or would after a freeze. Fewer than `count` if some are put together'),
  count: z.number().int(),
  total: money,
  openTotal: money.describe('Of its payouts that were neither paid nor returned'),
  cameBackCount: z.number().int().describe('Payouts with `cameBack`. They leave with the batch all the same'),
  paidCount: z.number().int(),
  returnedCount: z.number().int(),
  createdBy: z.string().nullable().describe('Null: the server made, froze and released it'),
  policies: z
    .array(z.object({ name: z.string(), version: z.number().int() }))
    .describe('Of a batch that the server made: the policies that approved its cards'),
  createdAt: instant,
  frozenBy: z.string().nullable(),
  frozenAt: instant.nullable(),
  approvedBy: z.string().nullable().describe('The first approver of a batch that needs two'),
  approvedAt: instant.nullable(),
  needsTwoApprovals: z
    .boolean()
    .describe('Two people besides `createdBy` and `frozenBy` have to approve it. The second one releases it'),
  twoApprovalsAbove: money.nullable().describe('A batch above this total `needsTwoApprovals`'),
  needsOtherToFreeze: z.boolean().describe('Somebody other than `createdBy` has to freeze it'),
  payers: z
    .array(z.string())
    .describe(
      'Usernames of everybody who may release batches. Empty unless it is open or frozen, or its rejection was reported',
    ),
  releasers: z
    .array(z.string())
    .describe('Usernames of those who may approve or release it now. Empty unless it is frozen'),
  problemCount: z
    .number()
    .int()
    .describe('Payouts of an open or frozen batch that have a `problem`. It is not released with them'),
  limitProblem: z.string().nullable().describe('Why an open or frozen batch is above a limit now'),
  releasedBy: z.string().nullable(),
  releasedAt: instant.nullable(),
  releasedAlone: z.boolean().describe('The same person froze and released it, because nobody else could'),
  exportedBy: z.string().nullable(),
  exportedAt: instant.nullable(),
  confirmedAt: instant.nullable().describe('When staff recorded that the bank or service has paid it'),
  rejectionReportedBy: z
    .string()
    .nullable()
    .describe('Who reported that the bank rejected the file, or that the provider does not have the batch'),
  rejectionReportedAt: instant.nullable(),
  rejectionReason: z.string().nullable(),
  rejectedBy: z.string().nullable().describe('Who confirmed that'),
  rejectedAt: instant.nullable(),
  settledBy: z
    .string()
    .nullable()
    .describe(
      'Who found the batch on a statement. Null also if it ended before batches were compared with one',
    ),
  settledAt: instant.nullable(),
  settledOn: z.iso.date().nullable().describe('The day of the statement on which the money left'),
  settlementReference: z.string().nullable().describe('The id that the bank or service gave the payment'),
  settlementFee: money.describe('The fee that was entered with the settlement'),
  expectedOn: z.iso.date().nullable(),
  isLate: z
    .boolean()
    .describe(
      'It was exported, and two banking days after `expectedOn`, or else after the export, nobody had settled it',
    ),
  sameDay: z.boolean().describe('Its file asks the bank to pay on the day of the release'),
  sameDayCutoff: z
    .object({ at: instant, settlesOn: z.iso.date() })
    .nullable()
    .describe(
      'Of bank transfers that were not released, if the bank offers same-day ACH: the next cut-off for it, and the day on which they settle',
    ),
  cutoff: z
    .object({ at: instant, settlesOn: z.iso.date() })
    .nullable()
    .describe(
      "For unexported bank transfers: the bank's next cut-off, and the day on which payments settle if it gets the file before that",
    ),
  fileSha256: z.string().nullable().describe('In hex, of the file or of the request to the provider'),
  sentBy: z
    .enum(providers)
    .nullable()
    .describe('The provider that sends it, or will after the release. Null: it leaves in a file'),
  providerState: z
    .enum(providerStates)
    .nullable()
    .describe(
      '`waiting`: the provider does not have it, so it can be dissolved. `sending`: a request may have reached the provider. The others are the provider’s own; after `denied` and `canceled` nothing was sent',
    ),
  providerProblem: z
    .enum(providerProblems)
    .nullable()
    .describe(
      'Why the last step failed. It is repeated, except after `too_old`. `paid_late`: the provider has paid it, although it was abandoned',
    ),
  paidTwice: z
    .array(id)
    .describe('Submissions of an abandoned batch that the provider has paid and another payout too'),
  providerDetail: z.string().nullable().describe('What the provider called it, or what holds a payout'),
  providerBatchId: z.string().nullable(),
  providerNextAt: instant.nullable().describe('When the next step is due'),
  providerFee: money.describe('What the provider took, which the ledger books'),
})
export type WireBatch = z.input<typeof payoutBatch>
export type BatchAnswer = z.output<typeof payoutBatch>

/** What is due by payment type, and how much of it can be in a batch now. */
export const dueTotal = z.object({
  paymentType: z.enum(paymentTypes),
  file: z.enum(fileKinds),
  count: z.number().int(),
  total: money,
  readyCount: z.number().int(),
  readyTotal: money,
  unconfirmedCount: z.number().int().describe('Payouts that wait until their sellers confirm their email'),
  cameBackCount: z.number().int().describe('Payouts with `cameBack`'),
  prenoteCount: z.number().int().describe('For bank transfers: payouts whose prenote is not in a file yet'),
  sentBy: z.enum(providers).nullable().describe('The provider that sends it. Null: it leaves in a file'),
})
export type DueTotal = z.input<typeof dueTotal>

/** The money with which payouts leave. */
export const payoutCash = z.object({
  provider: z.enum(providers).nullable().describe('Null: every batch leaves in a file'),
  balance: money.nullable().describe('What the provider can pay out. Null: it did not say'),
  balanceAt: instant.nullable().describe('When the provider counted it, usually within three hours'),
  toSend: money.describe('Ready payouts and batches that the provider has not begun to pay'),
  problem: z
    .enum(cashProblems)
    .nullable()
    .describe('`short`: `toSend` is more than the balance. `unknown` or `old`: nobody can tell'),
  today: z
    .object({ limit: money, sent: money, left: money })
    .nullable()
    .describe("The limit of one day, in the shop's time zone. Null: there is none"),
})
export type PayoutCash = z.input<typeof payoutCash>

/** What a webhook of the provider has to have. Everything else is read from the provider. */
export const providerEvent = z.looseObject({ id: z.string(), event_type: z.string() })

export const payoutStop = z.object({
  stoppedAt: instant.nullable().describe('Null if payouts leave as usual'),
  backupMadeAt: instant
    .nullable()
    .describe('When the restored backup was made. What was sent since then may be due again'),
})
export type PayoutStop = z.input<typeof payoutStop>

const paymentType = z.enum(paymentTypes, { error: 'payment_type_required' satisfies FieldCode })

const numberedPage = z.object({
  limit: atMost(200).default(50),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'cursor_invalid' satisfies FieldCode)
    .transform(Number)
    .optional()
    .describe('Where the page starts. Use the address in the `Link` header'),
})

const payoutList = numberedPage.extend({
  state: z.enum(payoutStates, { error: 'status_unknown' satisfies FieldCode }).optional(),
  paymentType: paymentType.optional(),
  notReady: z
    .enum(fileKinds)
    .optional()
    .describe('Only due payouts that leave in this kind of file and cannot be in a batch'),
  replaced: z
    .literal('false')
    .optional()
    .describe('Leaves out payouts that were paid after all, with a newer payout'),
  batchId: id.optional(),
  q: searchText
    .optional()
    .describe(
      "Part of the seller's name, username or email; an account or its last four digits; an amount; a day such as 2026-11-24; a confirmation, reference or trace number; the number or total of a batch; the number of a payout; or an id",
    ),
})
export type PayoutList = z.output<typeof payoutList>

const batchList = numberedPage.extend({
  state: z.enum(batchStates, { error: 'status_unknown' satisfies FieldCode }).optional(),
  unfinished: z
    .literal('true')
    .optional()
    .describe('Only batches that are neither settled, rejected nor void, oldest first'),
})
export type BatchList = z.output<typeof batchList>

const newBatch = z.object({
  paymentType: z
    .union([paymentType, z.array(paymentType).min(1).max(paymentTypes.length)])
    .transform((types) => [...new Set([types].flat())])
    .describe('One type, or several that leave in the same kind of file'),
  payoutIds: z
    .array(id)
    .min(1)
    .max(6_000)
    .optional()
    .describe('By default, all due payouts of the type that can be in a batch, oldest first'),
  onePerSeller: z
    .boolean()
    .optional()
    .describe('Payouts of one seller to the same account leave as one payment'),
})
export type NewBatch = z.output<typeof newBatch>

/** Why a payout or a batch is changed. */
export const because = z.object({ reason: text({ max: 500, required: 'reason_required' }) })

const MAX_REFERENCE_LENGTH = 100
const reference = text({ max: MAX_REFERENCE_LENGTH, required: 'reference_required' })

/** The provider's id of a batch, as its site shows it. */
export const providerBatch = z.object({
  providerBatchId: z
    .string({ error: 'provider_batch_invalid' satisfies FieldCode })
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9]{1,40}$/, 'provider_batch_invalid' satisfies FieldCode),
})

/** The id that the bank or service gave the payment. */
export const payment = z.object({ reference: optionalText(MAX_REFERENCE_LENGTH) })

/** Of one payout. */
export const singlePayment = payment.extend({ checkReference })
/** The same, where the id is required. */
export const worksheetPayment = z.object({ reference, checkReference })

export const settlement = z.object({
  reference: reference.describe(
    'Of the bank or service. Payouts that were not recorded as paid get it, and their sellers see it',
  ),
  on: z.iso
    .date('day_invalid' satisfies FieldCode)
    .refine(isUsualYear, 'day_invalid' satisfies FieldCode)
    .optional()
    .describe("The day of the statement, today by default. In the shop's time zone"),
  fee: dollars('fee_invalid')
    .refine((cents) => cents >= 0 && cents <= MAX_FEE, 'fee_invalid' satisfies FieldCode)
    .optional()
    .describe('What the bank or service charged for the batch, which the ledger books'),
})
export type Settlement = z.output<typeof settlement>

/** What an import of returns or results did. A line that was applied before counts as `already`. */
export const importResult = z.object({
  matched: z.number().int(),
  already: z.number().int(),
  unmatched: z.array(z.object({ line: z.number().int(), text: z.string() })),
})
export type ImportResult = z.infer<typeof importResult>

/** Maximum size of a file of returns or results, in bytes. */
export const MAX_RESULTS_BYTES = 5 * 1024 * 1024

export const payoutRoutes = {
  payouts: route({
    method: 'GET',
    path: '/api/admin/payouts',
    summary:
      'Payouts. Due payouts are oldest first. The payouts of a batch are grouped by payment, oldest first. All others are newest first',
    access: 'see_payouts',
    limit: 'read',
    query: payoutList,
    answers: { 200: z.array(payout) },
  }),
  duePayouts: route({
    method: 'GET',
    path: '/api/admin/payouts/due',
    summary: 'What is due, by payment type',
    access: 'see_payouts',
    limit: 'read',
    answers: { 200: z.array(dueTotal) },
  }),
  payoutCash: route({
    method: 'GET',
    path: '/api/admin/payouts/provider',
    summary: 'The balance of the provider that sends batches, what it has to send, and what may leave today',
    access: 'see_payouts',
    limit: 'read',
    answers: { 200: payoutCash },
  }),
  providerWebhook: route({
    method: 'POST',
    path: '/api/payout-provider/webhook',
    summary:
      'For the payout provider: something about a batch has changed. Only makes the server read the batch from the provider, which also confirms the signature',
    access: 'anyone',
    limit: 'write',
    refuses: ['not_found', 'invalid_credentials'],
    body: providerEvent,
    answers: { 200: done },
  }),
  payoutStop: route({
    method: 'GET',
    path: '/api/admin/payouts/stop',
    summary: 'Whether payouts are stopped, because a backup was restored. An operator resumes them',
    access: 'see_payouts',
    limit: 'read',
    answers: { 200: payoutStop },
  }),
  payout: route({
    method: 'GET',
    path: '/api/admin/payouts/:id',
    summary: 'One payout',
    access: 'see_payouts',
    limit: 'read',
    params: withId,
    answers: { 200: payout },
  }),
  revealPayout: route({
    method: 'POST',
    path: '/api/admin/payouts/:id/reveal',
    summary: 'Reveal the account, which the audit log records',
    access: 'reveal_accounts',
    limit: 'reveal',
    refuses: ['illegal_payout_move', 'payouts_stopped', 'erased', 'unreadable'],
    params: withId,
    answers: { 200: revealedPayout },
  }),
  markPayoutPaid: route({
    method: 'POST',
    path: '/api/admin/payouts/:id/paid',
    summary:
      'Record a payout as paid, which completes the submission: a due one by hand, or an exported one. One of a worksheet needs its confirmation number, and nobody else may have claimed its submission',
    access: 'pay',
    limit: 'write',
    refuses: [
      'illegal_payout_move',
      'payout_in_batch',
      'payouts_stopped',
      'payout_limit',
      'manual_payouts_off',
      'seller_held',
      'on_hold',
      'claimed',
      'risk_not_acknowledged',
      'balance_check_needed',
      'reference_used',
    ],
    params: withId,
    body: singlePayment.nullish(),
    answers: { 200: payout },
  }),
  returnPayout: route({
    method: 'POST',
    path: '/api/admin/payouts/:id/return',
    summary:
      'Record that the money came back. The seller is asked for another account, and nothing is paid to this one unless it only reached a limit',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_payout_move'],
    params: withId,
    body: because,
    answers: { 200: payout },
  }),
  liftDeadAccount: route({
    method: 'POST',
    path: '/api/admin/payouts/:id/lift-account',
    summary:
      'Let the account of a payout be paid again, which a bank or service refused. The audit log has the reason. Succeeds if it is not refused',
    access: 'pay',
    limit: 'write',
    params: withId,
    body: because,
    answers: { 200: payout },
  }),
  remindToConfirm: route({
    method: 'POST',
    path: '/api/admin/payouts/:id/confirmation',
    summary:
      'Email the seller of a payout the link that confirms their address again. Succeeds if it is confirmed. At most 5 an hour reach an address',
    access: 'pay',
    limit: 'account',
    params: withId,
    answers: { 200: payout },
  }),
  recordNotSent: route({
    method: 'POST',
    path: '/api/admin/payouts/:id/not-sent',
    summary:
      'Record that the payment in `paidBefore` was not sent, so that the payout can be in a batch again',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_payout_move'],
    params: withId,
    answers: { 200: payout },
  }),
  correctReference: route({
    method: 'POST',
    path: '/api/admin/payouts/:id/reference',
    summary:
      'Correct the confirmation number of a payout that is paid, with all cards of its payment. The seller sees the new one; the audit log has both',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_payout_move', 'reference_used'],
    params: withId,
    body: worksheetPayment,
    answers: { 200: payout },
  }),
  takeOutPayout: route({
    method: 'POST',
    path: '/api/admin/payouts/:id/take-out',
    summary: 'Take a payout out of its batch, which was not released. A frozen batch is open again',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_payout_move', 'payout_in_batch'],
    params: withId,
    answers: { 200: payout },
  }),
  voidPayout: route({
    method: 'POST',
    path: '/api/admin/payouts/:id/void',
    summary:
      'Cancel a payout that was not exported. Its submission fails with the reason. A frozen or released batch is dissolved',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_payout_move', 'illegal_batch_move', 'payout_sent', 'card_gone'],
    params: withId,
    body: because,
    answers: { 200: payout },
  }),
  payoutBatches: route({
    method: 'GET',
    path: '/api/admin/payout-batches',
    summary: 'Batches, newest first; unfinished ones oldest first',
    access: 'see_payouts',
    limit: 'read',
    query: batchList,
    answers: { 200: z.array(payoutBatch) },
  }),
  createBatch: route({
    method: 'POST',
    path: '/api/admin/payout-batches',
    summary: 'Put due payouts into a new batch',
    access: 'pay',
    limit: 'write',
    refuses: ['payout_not_batchable', 'payouts_stopped', 'payout_limit', 'nothing_due'],
    body: newBatch,
    answers: { 201: payoutBatch },
  }),
  payoutBatch: route({
    method: 'GET',
    path: '/api/admin/payout-batches/:id',
    summary: 'One batch',
    access: 'see_payouts',
    limit: 'read',
    params: withId,
    answers: { 200: payoutBatch },
  }),
  freezeBatch: route({
    method: 'POST',
    path: '/api/admin/payout-batches/:id/freeze',
    summary: 'Check every payout of an open batch and fix its contents',
    access: 'pay',
    limit: 'write',
    refuses: [
      'illegal_batch_move',
      'second_person_needed',
      'payout_not_batchable',
      'payouts_stopped',
      'payout_limit',
      'payout_file_not_configured',
      'nothing_due',
    ],
    params: withId,
    answers: { 200: payoutBatch },
  }),
  releaseBatch: route({
    method: 'POST',
    path: '/api/admin/payout-batches/:id/release',
    summary:
      'Release a frozen batch, which makes its file. Somebody else than the person who froze it. If it needs two approvals, the first call records one, and another person releases it',
    access: 'release_batches',
    limit: 'write',
    refuses: [
      'illegal_batch_move',
      'second_person_needed',
      'nothing_due',
      'payout_not_batchable',
      'payouts_stopped',
      'payout_limit',
      'payout_file_not_configured',
      'erased',
      'unreadable',
    ],
    params: withId,
    body: z
      .object({
        sameDay: z
          .boolean()
          .optional()
          .describe('Ask the bank to pay on this day, by same-day ACH. Only before `sameDayCutoff`'),
      })
      .nullish(),
    answers: { 200: payoutBatch },
  }),
  voidBatch: route({
    method: 'POST',
    path: '/api/admin/payout-batches/:id/void',
    summary: 'Dissolve a batch that was not exported: its payouts are due again',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_batch_move'],
    params: withId,
    answers: { 200: payoutBatch },
  }),
  exportBatch: route({
    method: 'POST',
    path: '/api/admin/payout-batches/:id/file',
    summary:
      'Check every payout of a released batch again and mark it as exported, which tells the sellers and allows downloads. Does nothing the second time',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_batch_move', 'payouts_stopped', 'payout_not_batchable', 'unreadable'],
    params: withId,
    answers: { 200: payoutBatch },
  }),
  batchFile: route({
    method: 'GET',
    path: '/api/admin/payout-batches/:id/file',
    summary: 'The file of an exported batch, which the audit log records. The same bytes each time',
    access: 'reveal_accounts',
    limit: 'reveal',
    refuses: ['illegal_batch_move', 'unreadable'],
    params: withId,
    answers: {},
    file: 'text/plain',
  }),
  confirmBatch: route({
    method: 'POST',
    path: '/api/admin/payout-batches/:id/paid',
    summary:
      'Record that the bank or service has paid every exported payout of the batch. Not for a worksheet: each of its payouts has its own confirmation number',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_batch_move'],
    params: withId,
    body: payment.nullish(),
    answers: { 200: payoutBatch },
  }),
  reportRejection: route({
    method: 'POST',
    path: '/api/admin/payout-batches/:id/reject',
    summary:
      'Report that the bank or service rejected the whole file of an exported batch, or that the provider does not have one that is `too_old`. Another person confirms it',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_batch_move'],
    params: withId,
    body: because,
    answers: { 200: payoutBatch },
  }),
  confirmRejection: route({
    method: 'POST',
    path: '/api/admin/payout-batches/:id/reject/confirm',
    summary:
      'Confirm such a report, which ends the batch: its payouts are void, and new ones are due. Sellers are not told',
    access: 'release_batches',
    limit: 'write',
    refuses: ['illegal_batch_move', 'second_person_needed'],
    params: withId,
    answers: { 200: payoutBatch },
  }),
  withdrawRejection: route({
    method: 'POST',
    path: '/api/admin/payout-batches/:id/reject/withdraw',
    summary: 'Withdraw a report that was wrong: the batch is as before',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_batch_move'],
    params: withId,
    answers: { 200: payoutBatch },
  }),
  enterProviderBatch: route({
    method: 'POST',
    path: '/api/admin/payout-batches/:id/provider-batch',
    summary:
      'Enter the provider’s id of a batch whose answer never came. The server reads it there, and follows it if it is this batch',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_batch_move', 'provider_batch_wrong'],
    params: withId,
    body: providerBatch,
    answers: { 200: payoutBatch },
  }),
  settleBatch: route({
    method: 'POST',
    path: '/api/admin/payout-batches/:id/settle',
    summary:
      'Record that the statement of the bank or service shows the batch, which ends it. Records its payouts as paid if nobody has yet. A worksheet settles when each of its payouts was paid or came back',
    access: 'pay',
    limit: 'write',
    refuses: ['illegal_batch_move'],
    params: withId,
    body: settlement,
    answers: { 200: payoutBatch },
  }),
  importPayoutResults: route({
    method: 'POST',
    path: '/api/admin/payout-returns',
    summary:
      "Import a bank's file of returns and notifications of change (NACHA) or PayPal's report (CSV). Applies each line once",
    access: 'pay',
    limit: 'write',
    body: z.object({}),
    multipart: true,
    textFile: true,
    answers: { 200: importResult },
  }),
}
