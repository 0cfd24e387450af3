import type { AuditAction, AuditDetail, AuditEntry } from '#contract/audit.ts'
import type { RevealedPart } from '#contract/staff-submissions.ts'
import { type StockState, stockStates } from '#domain/inventory.ts'
import { inDollars } from '#domain/money.ts'
import { type PaymentType, paymentTypes } from '#domain/payment-methods.ts'
import { referenceOf } from '#domain/reference.ts'
import { isStatus, type MoveName, moves, statuses } from '#domain/submission.ts'
import { translate } from '#web/words/words.ts'
import { stockWords } from '../../facts/stock-words.ts'
import { moveLabel } from '../../shell/keys/move-label.ts'
import { plainMoney, plainPercent } from '../brands/brand-fields.ts'

export const actionWords: Readonly<Record<AuditAction, string> & Record<string, string>> = {
  'admin.code_asked': 'Password accepted, code requested',
  'admin.created': 'Administrator created',
  'admin.disabled': 'Administrator disabled',
  'admin.enabled': 'Administrator enabled again',
  'admin.identity_bound': 'Bound to the sign-in provider',
  'admin.identity_reset': 'No longer bound to the sign-in provider',
  'admin.invitation_revoked': 'Invitation revoked',
  'admin.invited': 'Invited to the staff',
  'admin.link_made': 'Sign-in link created by the operator',
  'admin.passkey_added': 'Passkey added',
  'admin.passkey_removed': 'Passkey removed',
  'admin.password_changed': 'Password changed',
  'admin.password_reset': 'Password reset',
  'admin.role_changed': 'Role changed',
  'admin.signed_in': 'Signed in',
  'admin.sign_in_refused': 'Sign-in refused',
  'admin.totp_renewed': 'New recovery codes',
  'admin.totp_reset': 'Second factor removed by someone else',
  'admin.totp_started': 'Second factor switched on',
  'admin.totp_stopped': 'Second factor switched off',
  'audit.sealed': 'Earlier entries sealed',
  'balance_connector.added': 'Balance connector added',
  'balance_connector.changed': 'Balance connector changed',
  'balance_connector.deleted': 'Balance connector deleted',
  'balance_connector.secret_rotated': 'Secret of balance connector rotated',
  'brand.added': 'Brand added',
  'brand.changed': 'Brand changed',
  'keys.dropped': 'Key dropped',
  'keys.rotated': 'Keys rotated',
  'seller.data_exported': 'Seller’s data exported',
  'seller.deleted': 'Account deleted',
  'seller.tax_details_exported': 'Taxpayer number exported',
  'seller.tax_details_saved': 'Tax details entered',
  'seller.totp_reset': 'Second factor reset',
  'seller.state_changed': 'Seller’s state changed',
  'store.taken_over': 'Photo store taken over',
  'submission.balance_asked': 'Balance service asked',
  'submission.balance_checked': 'Balance checked',
  'submission.erased': 'Secrets erased',
  'submission.moved': 'Submission moved',
  'chat.message_revealed': 'Number in a chat revealed',
  'chat.photo_downloaded': 'Photo of a chat downloaded',
  'chat.photo_viewed': 'Photos of a chat viewed',
  'submission.photo_downloaded': 'Photo downloaded',
  'submission.photo_loaded_ahead': 'Photos loaded before the card was opened',
  'submission.photo_viewed': 'Photos viewed',
  'hold.lifted': 'Hold lifted',
  'hold.placed': 'Hold placed',
  'inventory.changed': 'Stock changed',
  'inventory.codes_exported': 'Card numbers exported',
  'inventory.imported': 'Stock changes imported',
  'job.discarded': 'Failed job discarded',
  'job.retried': 'Failed job retried',
  'ledger.month_closed': 'Month closed',
  'payout.account_changed': 'Payout account changed',
  'payout.account_lifted': 'Refused account allowed again',
  'payout.confirmation_sent': 'Confirmation email sent again',
  'payout.left_to_person': 'Payout not paid automatically',
  'payout.not_sent': 'Payout recorded as not sent',
  'payout.paid': 'Payout recorded as paid',
  'payout.prenote_refused': 'Prenote refused by the bank',
  'payout.reference_corrected': 'Confirmation number corrected',
  'payout.returned': 'Payout recorded as returned',
  'payout.returns_imported': 'Returns imported',
  'payout.revealed': 'Payout account revealed',
  'payout.voided': 'Payout voided',
  'payouts.resumed': 'Payouts resumed after a restore',
  'payouts.statement_imported': 'Bank statement imported',
  'payouts.stopped': 'Payouts stopped after a restore',
  'payout_batch.approved': 'Batch approved',
  'payout_batch.created': 'Batch created',
  'payout_batch.exported': 'Batch file downloaded',
  'payout_batch.frozen': 'Batch frozen',
  'payout_batch.marked_exported': 'Batch marked as exported',
  'payout_batch.paid': 'Batch recorded as paid',
  'payout_batch.payout_taken_out': 'Payout taken out of batch',
  'payout_batch.rejected': 'Batch rejected by the bank',
  'payout_batch.rejection_reported': 'Rejection of batch reported',
  'payout_batch.rejection_withdrawn': 'Rejection of batch withdrawn',
  'payout_batch.released': 'Batch released',
  'payout_batch.sent': 'Batch sent through PayPal',
  'payout_batch.settled': 'Batch settled',
  'payout_batch.voided': 'Batch dissolved',
  'policies.started': 'Policies started again',
  'policies.stopped': 'All policies stopped',
  'policy.added': 'Policy added',
  'policy.changed': 'Policy changed',
  'policy.mode_changed': 'Mode of policy changed',
  'report.exported': 'Report exported',
  'review.approved': 'Review approved',
  'review.hidden': 'Review hidden',
  'submission.assigned': 'Submission assigned',
  'submission.released': 'Released for erasure',
  'submission.revealed': 'Numbers revealed',
  'submission.risk_acknowledged': 'Risk acknowledged',
  'submission.taken_over': 'Claim taken over',
  'submission.undone': 'Move undone',
  'submissions.cleared': 'Submissions cleared',
  'system.test_mail_sent': 'Test email sent',
  'thread.assigned': 'Conversation assigned',
  'token.created': 'API token created',
  'token.revoked': 'API token revoked',
  'transactions.exported': 'Transactions exported',
  'webhook.added': 'Webhook added',
  'webhook.changed': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.secret_rotated': 'Secret of webhook rotated',
}

/** An action that this page does not know yet is shown by its code. */
export function wordsOf(action: string): string {
  return (Object.hasOwn(actionWords, action) && actionWords[action]) || action
}

export function actorWords({ actor, actorKind, details }: AuditEntry): string {
  if (actor !== null) return actor
  if (actorKind === 'visitor') return 'Not signed in'
  return details.by === 'command line' ? 'Operator, command line' : 'The system'
}

const yesOrNo = (value: string) => (value === 'true' ? 'yes' : 'no')
const orNothing = (value: string) => (value === 'null' ? 'none' : value)

interface FieldWords {
  readonly name: string
  readonly show?: (value: string) => string
}

const isStockState = (value: string): value is StockState =>
  (stockStates as readonly string[]).includes(value)

const isPaymentType = (value: string): value is PaymentType =>
  (paymentTypes as readonly string[]).includes(value)

const paymentType = (value: string): string =>
  isPaymentType(value) ? translate()(`payments.type.${value}`) : value

function status(value: string): string {
  if (isStockState(value)) return stockWords[value].name
  return isStatus(value) ? translate()(`staffStatuses.${value}`) : value
}

/** Moves that no button of staff makes. */
const otherMoves: Readonly<Record<string, string>> = {
  answer: 'the seller answered',
  withdraw: 'the seller withdrew it',
  accept: 'the seller accepted the offer',
  decline: 'the seller declined the offer',
  expire: 'the offer expired',
  return: 'the money came back',
  appeal: 'the seller appealed',
} satisfies Partial<Record<MoveName, string>>

/** The label of the button that staff press for it. */
function moveWords(name: string): string {
  const move = moves.find((move) => move.name === name && move.by === 'staff')
  return move ? moveLabel(move) : (otherMoves[name] ?? name)
}

const factorWords: Readonly<Record<string, string>> = {
  wrong: 'wrong code',
  paused: 'too many wrong codes',
}

const partWords: Readonly<Record<string, string>> = {
  card_number: 'card number',
  pin: 'PIN',
  account: 'payout account',
} satisfies Record<RevealedPart, string>

/** Details that another column shows, or that say nothing to a person. */
const hiddenDetails = ['by', 'value', 'icon'] as const

const fieldWords: Readonly<Record<Exclude<AuditDetail, (typeof hiddenDetails)[number]>, FieldWords>> = {
  name: { name: 'Name' },
  category: { name: 'Category' },
  rate: { name: 'Rate', show: plainPercent },
  minAmount: { name: 'Minimum', show: plainMoney },
  maxAmount: { name: 'Maximum', show: plainMoney },
  balanceUrl: { name: 'Balance page', show: orNothing },
  balancePhone: { name: 'Balance phone', show: orNothing },
  balanceCheckedOn: { name: 'Balance page and phone checked', show: orNothing },
  amount: { name: 'Amount', show: inDollars },
  source: { name: 'Source' },
  code: { name: 'Risk', show: (value) => value.replaceAll('_', ' ') },
  popular: { name: 'Popular', show: yesOrNo },
  reason: { name: 'Reason' },
  channel: { name: 'Channel' },
  proceeds: { name: 'Proceeds', show: inDollars },
  soldAt: { name: 'Sold', show: (value) => value.slice(0, 10) },
  writtenOff: { name: 'Written off', show: inDollars },
  cards: { name: 'Cards' },
  changed: { name: 'Changed' },
  matched: { name: 'Recorded' },
  already: { name: 'Recorded before' },
  unmatched: { name: 'Not matched' },
  unmatchedLines: { name: 'Not matched, line' },
  refused: { name: 'Refused' },
  again: { name: 'Again', show: () => 'the same file' },
  role: { name: 'Role', show: (value) => value.replaceAll('_', ' ') },
  email: { name: 'Email' },
  with: { name: 'With' },
  issuer: { name: 'Provider' },
  refusal: { name: 'Because', show: (value) => value.replaceAll('_', ' ') },
  factor: { name: 'Second factor', show: (value) => factorWords[value] ?? value },
  photo: { name: 'Photo' },
  messageId: { name: 'Message', show: referenceOf },
  policy: { name: 'Policy' },
  version: { name: 'Version' },
  mode: { name: 'Mode' },
  what: { name: 'Shown', show: (value) => partWords[value] ?? value },
  via: { name: 'Through', show: (value) => (value === 'inventory' ? 'export from the inventory' : value) },
  ids: { name: 'Submissions', show: referenceOf },
  move: { name: 'Move', show: moveWords },
  deletedCount: { name: 'Removed' },
  count: { name: 'Payouts' },
  total: { name: 'Total', show: inDollars },
  paymentTypes: { name: 'Payment types', show: paymentType },
  byHand: { name: 'By hand', show: yesOrNo },
  first: { name: 'First download', show: yesOrNo },
  alone: { name: 'Released alone', show: yesOrNo },
  reference: { name: 'Confirmation number', show: orNothing },
  returnCode: { name: 'Return code', show: orNothing },
  sha256: { name: 'SHA-256' },
  giftCardId: { name: 'Submission', show: referenceOf },
  voidedPayout: { name: 'Void payout', show: referenceOf },
  unfrozen: { name: 'Open again', show: yesOrNo },
  cleared: { name: 'By clear-all', show: yesOrNo },
  from: { name: 'From', show: status },
  assignee: { name: 'Assigned to', show: orNothing },
  job: { name: 'Job' },
  error: { name: 'Error' },
  q: { name: 'Search' },
  sellers: { name: 'Sellers found', show: referenceOf },
  redacted: { name: 'Removed from entries' },
  entries: { name: 'Entries' },
  unproven: { name: 'Redacted before' },
  status: { name: 'Status', show: status },
  paused: { name: 'Paused', show: yesOrNo },
  events: { name: 'Events' },
  host: { name: 'Host' },
  call: { name: 'Call' },
  accountDead: { name: 'Account', show: () => 'cannot be in a batch again' },
  afterDays: { name: 'Days after it left the stock' },
  alreadyCount: { name: 'Lines recorded before' },
  backupMadeAt: { name: 'Backup of', show: (value) => value.slice(0, 10) },
  codes: { name: 'Risks', show: (value) => value.replaceAll('_', ' ') },
  days: { name: 'Valid for days' },
  fee: { name: 'Fee', show: inDollars },
  feeCount: { name: 'Fees booked' },
  feeTotal: { name: 'Total of the fees', show: inDollars },
  format: { name: 'Format' },
  keptSubmissions: { name: 'Submissions kept' },
  month: { name: 'Month' },
  on: { name: 'On the statement of' },
  onePerSeller: { name: 'One payment per seller', show: yesOrNo },
  prenotes: { name: 'Prenotes' },
  provider: { name: 'Payout provider' },
  providerBatchId: { name: 'Batch at the provider' },
  rows: { name: 'Rows' },
  sameDay: { name: 'Same-day ACH', show: yesOrNo },
  settledCount: { name: 'Batches settled' },
  state: { name: 'State', show: status },
  to: { name: 'To' },
  year: { name: 'Year' },
}

const order = [...Object.keys(fieldWords), ...statuses]

function positionOf(field: string): number {
  const position = order.indexOf(field)
  return position < 0 ? order.length : position
}

/** The details of an entry, one per line. */
export function detailLines({ details }: Pick<AuditEntry, 'details'>): string[] {
  const { from, to, ...rest } = details
  const moved = from !== undefined && to !== undefined
  const shown = Object.entries(moved ? rest : details)
    .filter(([field]) => !hiddenDetails.some((hidden) => hidden === field))
    // JSONB does not keep the order of keys.
    .sort(([one], [other]) => positionOf(one) - positionOf(other))
  return [
    ...(moved ? [`${valueWords(status, from)} → ${valueWords(status, to)}`] : []),
    ...shown.map(([field, value]) => line(field, value)),
  ]
}

function line(field: string, value: unknown): string {
  const known = isNamed(field) ? fieldWords[field] : undefined
  // Clear All counts by status.
  const { name, show } = known ?? { name: status(field), show: undefined }
  if (isChange(value)) return `${name}: ${valueWords(show, value.from)} → ${valueWords(show, value.to)}`
  return `${name}: ${valueWords(show, value)}`
}

const isNamed = (field: string): field is keyof typeof fieldWords => Object.hasOwn(fieldWords, field)

function valueWords(show: FieldWords['show'], value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => valueWords(show, entry)).join(', ')
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return show ? show(String(value)) : String(value)
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value
}
