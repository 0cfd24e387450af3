import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { BounceKind } from '#contract/mail-bounces.ts'
import type { WebhookEvent } from '#contract/webhooks.ts'
import type { BalanceOutcome, BalanceSource } from '#domain/balance.ts'
import type { DebitKind } from '#domain/bank-statement.ts'
import type { Category } from '#domain/brands.ts'
import type { StockState } from '#domain/inventory.ts'
import type { NotificationKind } from '#domain/notifications.ts'
import type { AccountType, PaymentType } from '#domain/payment-methods.ts'
import type { AutomaticState, BatchState, FileKind, PayoutState } from '#domain/payout.ts'
import type {
  ProviderName,
  ProviderProblem,
  ProviderState,
  WaitingItemState,
} from '#domain/payout-provider.ts'
import type { PolicyMode, PolicyOutcome, PolicyReason } from '#domain/policy.ts'
import type { ReasonCode } from '#domain/reasons.ts'
import type { ReviewState } from '#domain/review.ts'
import type { RiskCode } from '#domain/risk.ts'
import type { Role } from '#domain/roles.ts'
import type { SellerState } from '#domain/seller-state.ts'
import type { MoveName, Mover, Status } from '#domain/submission.ts'
import type { Locale } from '#words/locales.ts'

// The tables for drizzle. The migrations create them, and a test compares the two. Tables that no query uses are only in the
// migrations: `cart_items` (part of the specified data model), `rate_limits`, `migrations`, and those that only plain SQL
// names: the ledger's entries, lines and sums.

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
const cents = (name: string) => bigint(name, { mode: 'number' })
const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  username: text('username').notNull(),
  email: text('email').notNull(),
  passwordHash: text('password_hash').notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  phoneNumber: text('phone_number'),
  role: text('role').notNull().default('user'),
  locale: text('locale').$type<Locale>().notNull().default('en'),
  verified: boolean('verified').notNull().default(false),
  state: text('state').$type<SellerState>().notNull().default('active'),
  previousEmail: text('previous_email'),
  previousEmailVerified: boolean('previous_email_verified').notNull().default(false),
  /** Paid without a confirmed address: registered before addresses were confirmed, and has not changed it since. */
  confirmationWaived: boolean('confirmation_waived').notNull().default(false),
  rating: numeric('rating', { precision: 3, scale: 2 }).notNull().default('0.00'),
  reviewCount: integer('review_count').notNull().default(0),
  tradeCount: integer('trade_count').notNull().default(0),
  /** The last report that mail to the seller does not arrive. */
  bounce: jsonb('bounce').$type<{ email: string; kind: BounceKind; reason: string; at: string }>(),
  lastVisit: time('last_visit'),
  /** When the password or the email address last changed. A trigger sets it. */
  credentialsChangedAt: time('credentials_changed_at'),
  createdAt: time('created_at').notNull().defaultNow(),
  deletedAt: time('deleted_at'),
})

export const notificationSettings = pgTable(
  'notification_settings',
  {
    userId: uuid('user_id').notNull(),
    kind: text('kind').$type<NotificationKind>().notNull(),
    mail: boolean('mail').notNull().default(true),
    push: boolean('push').notNull().default(true),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
)

export const administrators = pgTable('administrators', {
  id: uuid('id').primaryKey(),
  username: text('username').notNull(),
  passwordHash: text('password_hash').notNull(),
  role: text('role').$type<Role>().notNull().default('owner'),
  email: text('email'),
  oidcIssuer: text('oidc_issuer'),
  oidcSubject: text('oidc_subject'),
  rating: numeric('rating', { precision: 3, scale: 2 }).notNull().default('0.00'),
  reviewCount: integer('review_count').notNull().default(0),
  createdAt: time('created_at').notNull().defaultNow(),
  disabledAt: time('disabled_at'),
})

export const sessions = pgTable('sessions', {
  sid: text('sid').primaryKey(),
  userId: uuid('user_id'),
  administratorId: uuid('administrator_id'),
  sess: jsonb('sess').$type<{ createdAt: string; userAgent?: string; trusted?: boolean }>().notNull(),
  expire: time('expire').notNull(),
  endsAt: time('ends_at'),
})

export const pushSubscriptions = pgTable('push_subscriptions', {
  id: uuid('id').primaryKey(),
  sid: text('sid').notNull(),
  endpoint: text('endpoint').notNull(),
  p256dh: text('p256dh').notNull(),
  auth: text('auth').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  lastSuccess: time('last_success'),
})

export const signInLinks = pgTable('sign_in_links', {
  administratorId: uuid('administrator_id').primaryKey(),
  tokenHash: text('token_hash').notNull(),
  expiresAt: time('expires_at').notNull(),
})

export const staffInvitations = pgTable('staff_invitations', {
  id: uuid('id').primaryKey(),
  email: text('email').notNull(),
  role: text('role').$type<Role>().notNull(),
  tokenHash: text('token_hash').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  expiresAt: time('expires_at').notNull(),
  invitedBy: uuid('invited_by').notNull(),
})

export const apiTokens = pgTable('api_tokens', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  role: text('role').$type<Role>().notNull(),
  tokenHash: text('token_hash').notNull(),
  createdBy: uuid('created_by').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  expiresAt: time('expires_at').notNull(),
  lastUsedAt: time('last_used_at'),
})

export const giftCards = pgTable('gift_cards', {
  id: uuid('id').primaryKey(),
  sellerId: uuid('seller_id').notNull(),
  brand: text('brand').notNull(),
  brandName: text('brand_name').notNull(),
  unlistedBrand: boolean('unlisted_brand').notNull(),
  denomination: cents('denomination').notNull(),
  sellingPrice: cents('selling_price').notNull(),
  quotedPrice: cents('quoted_price').notNull(),
  offerAmount: cents('offer_amount'),
  offerExpiresAt: time('offer_expires_at'),
  appealedAt: time('appealed_at'),
  resubmissionOf: uuid('resubmission_of'),
  saleId: uuid('sale_id'),
  /** Counted from 1, in the order of submission. Null without a sale. */
  salePosition: integer('sale_position'),
  discountPercentage: integer('discount_percentage').notNull(),
  dataKey: bytea('data_key'),
  cardNumber: bytea('card_number'),
  cardNumberIndex: bytea('card_number_index'),
  cardNumberLastFour: text('card_number_last_four'),
  securityCode: bytea('security_code'),
  expirationDate: text('expiration_date'),
  cardFormat: text('card_format'),
  cardCondition: text('card_condition'),
  submissionNotes: text('submission_notes'),
  paymentType: text('payment_type').notNull(),
  paymentAccountName: text('payment_account_name').notNull(),
  paymentAccountInfo: bytea('payment_account_info'),
  paymentAccountIndex: bytea('payment_account_index'),
  /** By which version of the rules both blind indexes were computed. */
  indexVersion: integer('index_version').notNull().default(2),
  paymentAccountHint: text('payment_account_hint').notNull(),
  /** Of a bank account. */
  paymentAccountType: text('payment_account_type').$type<AccountType>().notNull().default('checking'),
  paymentRoutingNumber: bytea('payment_routing_number'),
  paymentRoutingHint: text('payment_routing_hint'),
  paymentAccountNumber: bytea('payment_account_number'),
  paymentAccountNumberHint: text('payment_account_number_hint'),
  routingNumberSuspect: boolean('routing_number_suspect').notNull().default(false),
  available: boolean('available').notNull().default(true),
  verified: boolean('verified').notNull().default(false),
  status: text('status').$type<Status>().notNull().default('pending'),
  version: integer('version').notNull().default(1),
  answered: boolean('answered').notNull().default(false),
  idempotencyKey: text('idempotency_key'),
  fingerprint: bytea('fingerprint').notNull(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
  clearedAt: time('cleared_at'),
  secretsErasedAt: time('secrets_erased_at'),
  releasedAt: time('released_at'),
  searchText: text('search_text')
    .notNull()
    .generatedAlwaysAs(sql`lower(brand || E'\\n' || brand_name || E'\\n' || id::text)`),
})

export const sales = pgTable('sales', {
  id: uuid('id').primaryKey(),
  sellerId: uuid('seller_id').notNull(),
  cards: integer('cards').notNull(),
  receipted: integer('receipted').notNull().default(0),
  createdAt: time('created_at').notNull().defaultNow(),
})

export const transactions = pgTable('transactions', {
  id: uuid('id').primaryKey(),
  giftCardId: uuid('gift_card_id').notNull(),
  sellerId: uuid('seller_id').notNull(),
  buyerId: uuid('buyer_id'),
  amount: cents('amount').notNull(),
  createdAt: time('created_at').notNull(),
})

export const photos = pgTable('photos', {
  name: text('name').primaryKey(),
  thumbnailName: text('thumbnail_name').notNull(),
  /** A photo belongs to a submission or to a message in the chat. */
  giftCardId: uuid('gift_card_id'),
  chatMessageId: uuid('chat_message_id'),
  position: integer('position').notNull(),
  version: integer('version').notNull().default(1),
  /** Null for the submission's own photos. */
  balanceCheckId: uuid('balance_check_id'),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  likeness: bigint('likeness', { mode: 'bigint' }),
  createdAt: time('created_at').notNull().defaultNow(),
})

export const balanceChecks = pgTable('balance_checks', {
  id: uuid('id').primaryKey(),
  giftCardId: uuid('gift_card_id').notNull(),
  amount: cents('amount').notNull(),
  source: text('source').$type<BalanceSource>().notNull(),
  sealedNote: bytea('sealed_note'),
  byId: uuid('by_id'),
  at: time('at').notNull().defaultNow(),
})

export const balanceConnectors = pgTable('balance_connectors', {
  id: uuid('id').primaryKey(),
  brand: text('brand').notNull(),
  url: text('url').notNull(),
  paused: boolean('paused').notNull().default(false),
  dataKey: bytea('data_key').notNull(),
  secret: bytea('secret').notNull(),
  previousSecret: bytea('previous_secret'),
  rotatedAt: time('rotated_at'),
  createdAt: time('created_at').notNull().defaultNow(),
})

export const balanceRequests = pgTable('balance_requests', {
  id: uuid('id').primaryKey(),
  giftCardId: uuid('gift_card_id').notNull(),
  byId: uuid('by_id'),
  askedAt: time('asked_at').notNull().defaultNow(),
  attempts: integer('attempts').notNull().default(0),
  /** Asked again, right before the card's payout is paid automatically. */
  beforePayout: boolean('before_payout').notNull().default(false),
  outcome: text('outcome').$type<BalanceOutcome>(),
  amount: cents('amount'),
})

export const riskAcknowledgements = pgTable('risk_acknowledgements', {
  id: uuid('id').primaryKey(),
  giftCardId: uuid('gift_card_id').notNull(),
  code: text('code').$type<RiskCode>().notNull(),
  otherId: uuid('other_id'),
  sealedReason: bytea('sealed_reason').notNull(),
  byId: uuid('by_id').notNull(),
  at: time('at').notNull().defaultNow(),
})

export const photoIntents = pgTable('photo_intents', {
  name: text('name').primaryKey(),
  startedAt: time('started_at').notNull().default(sql`clock_timestamp()`),
  removing: boolean('removing').notNull().default(false),
})

export const installation = pgTable('installation', {
  single: boolean('single').primaryKey().default(true),
  id: uuid('id').notNull(),
  database: text('database').notNull(),
  store: text('store'),
  /** Payouts wait since then, until an operator has compared them with what was sent. */
  payoutsStoppedAt: time('payouts_stopped_at'),
  /** No policy decides since then. */
  policiesStoppedAt: time('policies_stopped_at'),
  /** When the backup was made from which this database was restored, if that is known. */
  backupMadeAt: time('backup_made_at'),
  /** `npm run data` created the database. */
  isGenerated: boolean('is_generated').notNull().default(false),
})

export const statusHistory = pgTable(
  'status_history',
  {
    giftCardId: uuid('gift_card_id').notNull(),
    version: integer('version').notNull(),
    fromStatus: text('from_status').$type<Status>(),
    toStatus: text('to_status').$type<Status>().notNull(),
    /** Rows of earlier versions, until a starting server converts them. */
    plainReason: text('reason'),
    sealedReason: bytea('sealed_reason'),
    reasonCode: text('reason_code').$type<ReasonCode | 'free_text'>(),
    /** Null for the first entry, and for moves of earlier versions. */
    move: text('move').$type<MoveName | 'undo'>(),
    amount: cents('amount'),
    byKind: text('by_kind').$type<Mover>().notNull(),
    byId: uuid('by_id'),
    /** The policy that made the move. */
    policyId: uuid('policy_id'),
    policyVersion: integer('policy_version'),
    at: time('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.giftCardId, table.version] })],
)

/** Rows are only inserted. The newest version is the policy. */
export const policies = pgTable(
  'policies',
  {
    id: uuid('id').notNull(),
    version: integer('version').notNull(),
    mode: text('mode').$type<PolicyMode>().notNull(),
    name: text('name').notNull(),
    brands: text('brands').array().notNull(),
    maxFaceValue: cents('max_face_value').notNull(),
    minAccountDays: integer('min_account_days').notNull(),
    minCompletedSales: integer('min_completed_sales').notNull(),
    waitMinutes: integer('wait_minutes').notNull(),
    sellerLimit: cents('seller_limit').notNull(),
    shopLimit: cents('shop_limit').notNull(),
    samplePercent: integer('sample_percent').notNull(),
    paysAtOnce: boolean('pays_at_once').notNull().default(false),
    /** Who wrote the conditions, which may be an earlier version. */
    writtenBy: uuid('written_by').notNull(),
    byId: uuid('by_id').notNull(),
    at: time('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.id, table.version] })],
)

export const policyDecisions = pgTable('policy_decisions', {
  id: uuid('id').primaryKey(),
  giftCardId: uuid('gift_card_id').notNull(),
  policyId: uuid('policy_id').notNull(),
  policyVersion: integer('policy_version').notNull(),
  mode: text('mode').$type<Exclude<PolicyMode, 'off'>>().notNull(),
  outcome: text('outcome').$type<PolicyOutcome>().notNull(),
  /** Why a person decides. */
  reason: text('reason').$type<PolicyReason>(),
  /** From 0 to 99: below the policy's percentage, a person decides. */
  draw: integer('draw'),
  price: cents('price').notNull(),
  at: time('at').notNull().defaultNow(),
})

export const notes = pgTable('notes', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').notNull(),
  giftCardId: uuid('gift_card_id'),
  administratorId: uuid('administrator_id').notNull(),
  state: text('state').$type<SellerState>(),
  dataKey: bytea('data_key').notNull(),
  text: bytea('text').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
})

export const payoutBatches = pgTable('payout_batches', {
  id: uuid('id').primaryKey(),
  number: bigint('number', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  fileKind: text('file_kind').$type<FileKind>().notNull(),
  paymentTypes: text('payment_types').array().$type<PaymentType[]>().notNull(),
  state: text('state').$type<BatchState>().notNull().default('open'),
  onePerSeller: boolean('one_per_seller').notNull().default(false),
  count: integer('count').notNull(),
  total: cents('total').notNull(),
  /** Null: the server made, froze and released it. */
  createdBy: uuid('created_by'),
  createdAt: time('created_at').notNull().defaultNow(),
  frozenBy: uuid('frozen_by'),
  frozenAt: time('frozen_at'),
  approvedBy: uuid('approved_by'),
  approvedAt: time('approved_at'),
  releasedBy: uuid('released_by'),
  releasedAt: time('released_at'),
  releasedAlone: boolean('released_alone').notNull().default(false),
  exportedBy: uuid('exported_by'),
  exportedAt: time('exported_at'),
  voidedBy: uuid('voided_by'),
  voidedAt: time('voided_at'),
  confirmedAt: time('confirmed_at'),
  rejectionReportedBy: uuid('rejection_reported_by'),
  rejectionReportedAt: time('rejection_reported_at'),
  rejectionReason: text('rejection_reason'),
  rejectedBy: uuid('rejected_by'),
  rejectedAt: time('rejected_at'),
  /** Null for batches that were settled before somebody had to say so. */
  settledBy: uuid('settled_by'),
  settledAt: time('settled_at'),
  /** The day of the statement, like 2026-11-24. */
  settledOn: date('settled_on'),
  settlementReference: text('settlement_reference'),
  /** What the bank or service took, if somebody entered it here. */
  settlementFee: cents('settlement_fee').notNull().default(0),
  sameDay: boolean('same_day').notNull().default(false),
  /** A day like 2026-11-24. */
  expectedOn: date('expected_on'),
  dataKey: bytea('data_key'),
  sealedFile: bytea('sealed_file'),
  fileName: text('file_name'),
  fileSha256: text('file_sha256'),
  /** Null: the batch leaves in a file. */
  provider: text('provider').$type<ProviderName>(),
  providerAccount: text('provider_account'),
  providerState: text('provider_state').$type<ProviderState>(),
  providerBatchId: text('provider_batch_id'),
  providerAttempts: integer('provider_attempts').notNull().default(0),
  providerProblem: text('provider_problem').$type<ProviderProblem>(),
  providerDetail: text('provider_detail'),
  providerNextAt: time('provider_next_at'),
  providerFee: cents('provider_fee').notNull().default(0),
})

/** Lines of bank statements that were applied. */
export const bankLines = pgTable('bank_lines', {
  id: uuid('id').primaryKey(),
  key: text('key').notNull(),
  kind: text('kind').$type<DebitKind>().notNull(),
  /** A day like 2026-11-24. */
  bookedOn: date('booked_on').notNull(),
  /** That left. */
  amount: cents('amount').notNull(),
  text: text('text').notNull(),
  batchId: uuid('batch_id'),
  importedBy: uuid('imported_by').notNull(),
  importedAt: time('imported_at').notNull().defaultNow(),
})

export const payouts = pgTable('payouts', {
  id: uuid('id').primaryKey(),
  number: bigint('number', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  giftCardId: uuid('gift_card_id').notNull(),
  sellerId: uuid('seller_id').notNull(),
  amount: cents('amount').notNull(),
  deducted: cents('deducted').notNull().default(0),
  paymentType: text('payment_type').$type<PaymentType>().notNull(),
  accountHint: text('account_hint').notNull(),
  state: text('state').$type<PayoutState>().notNull().default('due'),
  automatic: text('automatic').$type<AutomaticState>(),
  dueAt: time('due_at').notNull().defaultNow(),
  batchableAt: time('batchable_at').notNull().defaultNow(),
  batchId: uuid('batch_id'),
  batchPosition: integer('batch_position'),
  byHand: boolean('by_hand').notNull().default(false),
  reference: text('reference'),
  sentAt: time('sent_at'),
  paidAt: time('paid_at'),
  returnedAt: time('returned_at'),
  returnCode: text('return_code'),
  returnReason: text('return_reason'),
  revertedSentAt: time('reverted_sent_at'),
  revertedReference: text('reverted_reference'),
  notSentAt: time('not_sent_at'),
  entryNumber: bigint('entry_number', { mode: 'number' }),
  entryCount: integer('entry_count'),
  entryTotal: cents('entry_total'),
  providerState: text('provider_state').$type<WaitingItemState>(),
})

export const payoutResults = pgTable('payout_results', {
  id: uuid('id').primaryKey(),
  key: text('key').notNull(),
  payoutId: uuid('payout_id').notNull(),
  kind: text('kind').$type<'returned' | 'changed' | 'paid'>().notNull(),
  code: text('code'),
  sealedCorrection: bytea('sealed_correction'),
  /** Null for results of a batch that the server made. */
  administratorId: uuid('administrator_id'),
  at: time('at').notNull().defaultNow(),
})

export const deadAccounts = pgTable('dead_accounts', {
  id: uuid('id').primaryKey(),
  accountIndex: bytea('account_index').notNull(),
  paymentType: text('payment_type').$type<PaymentType>().notNull(),
  sellerId: uuid('seller_id').notNull(),
  everyone: boolean('everyone').notNull(),
  payoutId: uuid('payout_id').notNull(),
  code: text('code'),
  at: time('at').notNull().defaultNow(),
  liftedBy: uuid('lifted_by'),
  liftedAt: time('lifted_at'),
})

export const prenotes = pgTable('prenotes', {
  id: uuid('id').primaryKey(),
  number: bigint('number', { mode: 'number' }).notNull(),
  accountIndex: bytea('account_index').notNull(),
  accountType: text('account_type').$type<AccountType>().notNull(),
  payoutId: uuid('payout_id').notNull(),
  sellerId: uuid('seller_id').notNull(),
  batchId: uuid('batch_id').notNull(),
  /** A day like 2026-11-24. */
  payableOn: date('payable_on'),
  returnedAt: time('returned_at'),
})

export const inventory = pgTable('inventory', {
  giftCardId: uuid('gift_card_id').primaryKey(),
  sellerId: uuid('seller_id').notNull(),
  brand: text('brand').notNull(),
  cost: cents('cost').notNull(),
  state: text('state').$type<StockState>().notNull().default('in_stock'),
  channel: text('channel'),
  soldAt: time('sold_at'),
  proceeds: cents('proceeds'),
  writtenOff: cents('written_off').notNull().default(0),
  enteredAt: time('entered_at').notNull().defaultNow(),
  leftAt: time('left_at'),
})

export const codeExports = pgTable('code_exports', {
  id: uuid('id').primaryKey(),
  administratorId: uuid('administrator_id').notNull(),
  count: integer('count').notNull(),
  dataKey: bytea('data_key').notNull(),
  sealedFile: bytea('sealed_file').notNull(),
  fileSha256: text('file_sha256').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  expiresAt: time('expires_at').notNull().default(sql`now() + interval '24 hours'`),
})

export const holds = pgTable('holds', {
  id: uuid('id').primaryKey(),
  giftCardId: uuid('gift_card_id'),
  userId: uuid('user_id'),
  dataKey: bytea('data_key').notNull(),
  sealedReason: bytea('sealed_reason').notNull(),
  placedBy: uuid('placed_by').notNull(),
  placedAt: time('placed_at').notNull().defaultNow(),
  liftedBy: uuid('lifted_by'),
  liftedAt: time('lifted_at'),
})

export const closedMonths = pgTable('closed_months', {
  /** Its first day. */
  month: date('month').primaryKey(),
  closedAt: time('closed_at').notNull().defaultNow(),
  closedBy: uuid('closed_by').notNull(),
})

export const auditLog = pgTable('audit_log', {
  // The chain's trigger sets number, time and hashes, whatever is inserted.
  id: bigint('id', { mode: 'number' }).primaryKey().default(sql`null`),
  at: time('at').notNull().defaultNow(),
  actorKind: text('actor_kind').$type<'staff' | 'seller' | 'visitor' | 'system'>().notNull(),
  actorId: uuid('actor_id'),
  actorName: text('actor_name'),
  action: text('action').notNull(),
  subjectKind: text('subject_kind').notNull(),
  subjectId: text('subject_id'),
  details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
  previousHash: bytea('previous_hash').notNull().default(sql`null`),
  hash: bytea('hash').notNull().default(sql`null`),
  commitments: jsonb('commitments').$type<Record<string, string>>().notNull().default({}),
  salts: jsonb('salts').$type<Record<string, string>>().notNull().default({}),
})

export const jobs = pgTable('jobs', {
  id: uuid('id').primaryKey(),
  kind: text('kind').notNull(),
  key: text('key').notNull(),
  payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
  attempts: integer('attempts').notNull().default(0),
  runAt: time('run_at').notNull().defaultNow(),
  doneAt: time('done_at'),
  failedAt: time('failed_at'),
  lastError: text('last_error'),
  createdAt: time('created_at').notNull().defaultNow(),
  requestId: uuid('request_id'),
  traceparent: text('traceparent'),
})

export const webhookEndpoints = pgTable('webhook_endpoints', {
  id: uuid('id').primaryKey(),
  url: text('url').notNull(),
  events: text('events').array().$type<WebhookEvent[]>().notNull(),
  paused: boolean('paused').notNull().default(false),
  dataKey: bytea('data_key').notNull(),
  secret: bytea('secret').notNull(),
  previousSecret: bytea('previous_secret'),
  rotatedAt: time('rotated_at'),
  createdAt: time('created_at').notNull().defaultNow(),
})

export const webhookDeliveries = pgTable('webhook_deliveries', {
  id: uuid('id').primaryKey(),
  endpointId: uuid('endpoint_id').notNull(),
  event: text('event').notNull(),
  eventKey: text('event_key').notNull(),
  body: text('body').notNull(),
  attempts: integer('attempts').notNull().default(0),
  responseCode: integer('response_code'),
  error: text('error'),
  durationMs: integer('duration_ms'),
  createdAt: time('created_at').notNull().defaultNow(),
  attemptedAt: time('attempted_at'),
  deliveredAt: time('delivered_at'),
})

export const keyCheck = pgTable('key_check', {
  single: boolean('single').primaryKey().default(true),
  wrapped: bytea('wrapped').notNull(),
  index: bytea('index_check').notNull(),
})

export const droppedKeys = pgTable('dropped_keys', {
  id: text('id').primaryKey(),
  droppedAt: time('dropped_at').notNull().defaultNow(),
})

/** Entries that move to the audit log when their transaction commits. */
export const auditPending = pgTable('audit_pending', {
  id: bigint('id', { mode: 'number' }).primaryKey(),
  actorKind: text('actor_kind').notNull(),
  actorId: uuid('actor_id'),
  actorName: text('actor_name'),
  action: text('action').notNull(),
  subjectKind: text('subject_kind').notNull(),
  subjectId: text('subject_id'),
  details: jsonb('details').$type<Record<string, unknown>>().notNull(),
})

export const auditHead = pgTable('audit_head', {
  single: boolean('single').primaryKey().default(true),
  entries: bigint('entries', { mode: 'number' }).notNull(),
  hash: bytea('hash').notNull(),
})

export const claims = pgTable('claims', {
  giftCardId: uuid('gift_card_id').primaryKey(),
  administratorId: uuid('administrator_id').notNull(),
  since: time('since').notNull(),
  until: time('until').notNull(),
  assignedBy: uuid('assigned_by'),
  /** Set if it was assigned: it counts only for this version of the submission. */
  version: integer('version'),
})

export const brands = pgTable('brands', {
  slug: text('slug').primaryKey(),
  name: text('name').notNull(),
  category: text('category').$type<Category>().notNull(),
  rate: integer('rate').notNull(),
  minimum: cents('minimum').notNull(),
  maximum: cents('maximum').notNull(),
  popular: boolean('popular').notNull(),
  balanceUrl: text('balance_url'),
  balancePhone: text('balance_phone'),
  balanceCheckedOn: date('balance_checked_on'),
  position: integer('position').notNull(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
})

export const earlierBrandTerms = pgTable('earlier_brand_terms', {
  slug: text('slug').notNull(),
  rate: integer('rate').notNull(),
  minimum: cents('minimum').notNull(),
  maximum: cents('maximum').notNull(),
  validUntil: time('valid_until').notNull(),
})

export const secondFactors = pgTable('second_factors', {
  accountId: uuid('account_id').primaryKey(),
  dataKey: bytea('data_key').notNull(),
  secret: bytea('secret').notNull(),
  confirmedAt: time('confirmed_at'),
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
  failures: integer('failures').notNull().default(0),
  failedAt: time('failed_at'),
  wrongCodes: integer('wrong_codes').notNull().default(0),
  warnedAt: time('warned_at'),
})

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    accountId: uuid('account_id').notNull(),
    hash: bytea('hash').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.hash] })],
)

export const passkeys = pgTable('passkeys', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id'),
  administratorId: uuid('administrator_id'),
  credentialId: text('credential_id').notNull(),
  publicKey: bytea('public_key').notNull(),
  counter: bigint('counter', { mode: 'number' }).notNull(),
  transports: text('transports').array().notNull(),
  name: text('name').notNull(),
  backedUp: boolean('backed_up').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  lastUsedAt: time('last_used_at'),
})

export const passkeyChallenges = pgTable('passkey_challenges', {
  hash: text('hash').primaryKey(),
  kind: text('kind').$type<'seller' | 'staff'>().notNull(),
  sid: text('sid'),
  expiresAt: time('expires_at').notNull(),
})

export const accountTokens = pgTable('account_tokens', {
  id: uuid('id').primaryKey(),
  tokenHash: text('token_hash').notNull(),
  userId: uuid('user_id').notNull(),
  purpose: text('purpose').$type<'reset_password' | 'restore_email' | 'confirm_email'>().notNull(),
  email: text('email').notNull(),
  emailVerified: boolean('email_verified').notNull().default(false),
  createdAt: time('created_at').notNull().default(sql`clock_timestamp()`),
  expiresAt: time('expires_at').notNull(),
  usedAt: time('used_at'),
})

export const knownBrowsers = pgTable(
  'known_browsers',
  {
    tokenHash: text('token_hash').notNull(),
    accountId: uuid('account_id').notNull(),
    lastUsedAt: time('last_used_at').notNull().defaultNow(),
    knownSince: time('known_since').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.tokenHash, table.accountId] })],
)

export const paymentMethods = pgTable('payment_methods', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id').notNull(),
  type: text('type').$type<PaymentType>().notNull(),
  accountName: text('account_name').notNull(),
  /** Of a bank account. */
  accountType: text('account_type').$type<AccountType>().notNull().default('checking'),
  dataKey: bytea('data_key').notNull(),
  accountInfo: bytea('account_info').notNull(),
  routingNumber: bytea('routing_number'),
  accountNumber: bytea('account_number'),
  isDefault: boolean('is_default').notNull().default(false),
  isActive: boolean('is_active').notNull().default(true),
  createdAt: time('created_at').notNull().defaultNow(),
})

export const taxDetails = pgTable('tax_details', {
  userId: uuid('user_id').primaryKey(),
  dataKey: bytea('data_key').notNull(),
  sealedAddress: bytea('sealed_address').notNull(),
  sealedTin: bytea('sealed_tin').notNull(),
  tinLastFour: text('tin_last_four').notNull(),
  updatedAt: time('updated_at').notNull().defaultNow(),
})

export const reviews = pgTable('reviews', {
  id: uuid('id').primaryKey(),
  reviewerId: uuid('reviewer_id').notNull(),
  revieweeId: uuid('reviewee_id').notNull(),
  transactionId: uuid('transaction_id').notNull(),
  rating: integer('rating').notNull(),
  comment: text('comment'),
  createdAt: time('created_at').notNull().defaultNow(),
  state: text('state').$type<ReviewState>().notNull().default('waiting'),
  firstName: text('first_name'),
  locale: text('locale').$type<Locale>().notNull().default('en'),
})

export const contactSessions = pgTable('contact_sessions', {
  id: uuid('id').primaryKey(),
  sessionId: text('session_id').notNull(),
  mailedKey: text('mailed_key'),
  mailedKeyUsedAt: time('mailed_key_used_at'),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  email: text('email').notNull(),
  subject: text('subject').notNull(),
  status: text('status').notNull().default('active'),
  locale: text('locale').$type<Locale>().notNull().default('en'),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
})

export const chatThreads = pgTable('chat_threads', {
  id: uuid('id').primaryKey(),
  userId: uuid('user_id'),
  contactSessionId: uuid('contact_session_id'),
  /** The submission that it is about. Null for visitors. */
  giftCardId: uuid('gift_card_id'),
  lastMessage: text('last_message').notNull().default(''),
  lastMessageAt: time('last_message_at').notNull().defaultNow(),
  lastMessageNumber: bigint('last_message_number', { mode: 'number' }).notNull().default(0),
  unansweredNumber: bigint('unanswered_number', { mode: 'number' }),
  waitingRank: bigint('waiting_rank', { mode: 'number' })
    .notNull()
    .generatedAlwaysAs(
      sql`case when closed_at is null and unanswered_number is not null then unanswered_number
        else 2000000000000000 - last_message_number end`,
    ),
  staffReadNumber: bigint('staff_read_number', { mode: 'number' }).notNull().default(0),
  staffUnread: integer('staff_unread').notNull().default(0),
  customerReadNumber: bigint('customer_read_number', { mode: 'number' }).notNull().default(0),
  customerUnread: integer('customer_unread').notNull().default(0),
  customerMailedNumber: bigint('customer_mailed_number', { mode: 'number' }).notNull().default(0),
  answeringBy: uuid('answering_by'),
  answeringUntil: time('answering_until'),
  closedAt: time('closed_at'),
  snoozedUntil: time('snoozed_until'),
  assignedTo: uuid('assigned_to'),
  assignedBy: uuid('assigned_by'),
  assignedAt: time('assigned_at'),
})

export const chatMessages = pgTable('chat_messages', {
  id: uuid('id').primaryKey(),
  number: bigint('number', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  threadId: uuid('thread_id').notNull(),
  message: text('message').notNull(),
  isAdminReply: boolean('is_admin_reply').notNull().default(false),
  adminUserId: uuid('admin_user_id'),
  clientId: uuid('client_id'),
  /** Of its photos. Null if it had none, or they were erased. */
  dataKey: bytea('data_key'),
  photoCount: integer('photo_count').notNull().default(0),
  createdAt: time('created_at').notNull().default(sql`clock_timestamp()`),
})

export const savedReplies = pgTable('saved_replies', {
  id: uuid('id').primaryKey(),
  title: text('title').notNull(),
  text: text('text').notNull(),
  spanishText: text('spanish_text'),
  createdBy: uuid('created_by').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
})
