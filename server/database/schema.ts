import {
  bigint,
  boolean,
  customType,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Status } from '#domain/submission.ts'

/** The tables as the queries know them; the migrations beside make them, and a test compares the two. */

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })
const cents = (name: string) => bigint(name, { mode: 'number' })
const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  username: text('username').notNull(),
  email: text('email').notNull(),
  passwordHash: text('password_hash').notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  phoneNumber: text('phone_number'),
  role: text('role').notNull().default('user'),
  verified: boolean('verified').notNull().default(false),
  rating: numeric('rating', { precision: 3, scale: 2 }).notNull().default('0.00'),
  reviewCount: integer('review_count').notNull().default(0),
  tradeCount: integer('trade_count').notNull().default(0),
  lastVisit: at('last_visit'),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const administrators = pgTable('administrators', {
  id: uuid('id').primaryKey(),
  username: text('username').notNull(),
  passwordHash: text('password_hash').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
  disabledAt: at('disabled_at'),
})

export const sessions = pgTable('sessions', {
  sid: text('sid').primaryKey(),
  userId: uuid('user_id'),
  administratorId: uuid('administrator_id'),
  sess: jsonb('sess').$type<{ createdAt: string; userAgent?: string }>().notNull(),
  expire: at('expire').notNull(),
})

export const giftCards = pgTable('gift_cards', {
  id: uuid('id').primaryKey(),
  sellerId: uuid('seller_id').notNull(),
  brand: text('brand').notNull(),
  brandName: text('brand_name').notNull(),
  unlistedBrand: boolean('unlisted_brand').notNull(),
  denomination: cents('denomination').notNull(),
  sellingPrice: cents('selling_price').notNull(),
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
  paymentAccountHint: text('payment_account_hint').notNull(),
  paymentRoutingNumber: bytea('payment_routing_number'),
  paymentRoutingHint: text('payment_routing_hint'),
  paymentAccountNumber: bytea('payment_account_number'),
  paymentAccountNumberHint: text('payment_account_number_hint'),
  routingNumberSuspect: boolean('routing_number_suspect').notNull().default(false),
  available: boolean('available').notNull().default(true),
  verified: boolean('verified').notNull().default(false),
  status: text('status').$type<Status>().notNull().default('pending'),
  statusReason: text('status_reason'),
  version: integer('version').notNull().default(1),
  idempotencyKey: text('idempotency_key'),
  fingerprint: bytea('fingerprint').notNull(),
  createdAt: at('created_at').notNull(),
  updatedAt: at('updated_at').notNull(),
  clearedAt: at('cleared_at'),
})

export const transactions = pgTable('transactions', {
  id: uuid('id').primaryKey(),
  giftCardId: uuid('gift_card_id').notNull(),
  sellerId: uuid('seller_id').notNull(),
  buyerId: uuid('buyer_id'),
  amount: cents('amount').notNull(),
  createdAt: at('created_at').notNull(),
})

export const photos = pgTable('photos', {
  name: text('name').primaryKey(),
  thumbnailName: text('thumbnail_name').notNull(),
  giftCardId: uuid('gift_card_id').notNull(),
  position: integer('position').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const statusHistory = pgTable(
  'status_history',
  {
    giftCardId: uuid('gift_card_id').notNull(),
    version: integer('version').notNull(),
    fromStatus: text('from_status').$type<Status>(),
    toStatus: text('to_status').$type<Status>().notNull(),
    reason: text('reason'),
    byKind: text('by_kind').$type<'seller' | 'staff'>().notNull(),
    byId: uuid('by_id').notNull(),
    at: at('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.giftCardId, table.version] })],
)

export const auditLog = pgTable('audit_log', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: at('at').notNull().defaultNow(),
  actorKind: text('actor_kind').notNull(),
  actorId: uuid('actor_id'),
  actorName: text('actor_name'),
  action: text('action').notNull(),
  subjectKind: text('subject_kind').notNull(),
  subjectId: text('subject_id'),
  details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
})

export const jobs = pgTable('jobs', {
  id: uuid('id').primaryKey(),
  kind: text('kind').notNull(),
  key: text('key').notNull(),
  payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
  attempts: integer('attempts').notNull().default(0),
  runAt: at('run_at').notNull().defaultNow(),
  doneAt: at('done_at'),
  failedAt: at('failed_at'),
  lastError: text('last_error'),
  createdAt: at('created_at').notNull().defaultNow(),
})

export const keyCheck = pgTable('key_check', {
  single: boolean('single').primaryKey().default(true),
  wrapped: bytea('wrapped').notNull(),
  index: bytea('index_check').notNull(),
})
