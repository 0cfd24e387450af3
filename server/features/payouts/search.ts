import { type SQL, sql } from 'drizzle-orm'
import { parseDollars } from '#domain/money.ts'
import { endOfReference } from '#domain/reference.ts'
import type { Role } from '#domain/roles.ts'
import { sellerMatches } from '#server/features/accounts/seller-search.ts'
import { leadsPayment } from '#server/features/books/entries.ts'
import { accountIndexes } from '#server/features/submissions/payout-effects.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { TRACE_NUMBERS } from './files/nacha.ts'

/** Conditions on `payouts`, one for each thing that the text may be. Each has an index. Joined by OR, they would read all payouts. */
export function searchConditions(q: string, keys: KeyRing, role: Role): SQL[] {
  return Object.values(lookups).flatMap((lookup) => lookup(q, keys, role) ?? [])
}

type Lookup = (q: string, keys: KeyRing, role: Role) => SQL | undefined

const lookups: Readonly<Record<string, Lookup>> = {
  seller: (q, _keys, role) => sql`seller_id in (select id from users where ${sellerMatches(q, role)})`,

  id: (q) => (isId(q) ? sql`payouts.id = ${q}` : undefined),

  number: (q) => {
    const [, number] = /^#?(\d{1,15})$/.exec(q) ?? []
    return number === undefined ? undefined : sql`payouts.number = ${Number(number)}`
  },

  submissionId: (q) => (isId(q) ? sql`gift_card_id = ${q}` : undefined),

  submissionReference: (q) => {
    const end = endOfReference(q)
    return end === undefined
      ? undefined
      : sql`gift_card_id in (select id from gift_cards where search_text like ${`%${end}`})`
  },

  confirmationNumber: (q) => sql`lower(reference) = ${q.toLowerCase()}`,

  /** What the seller reads until there is a confirmation number. */
  shortReference: (q) =>
    /^[\da-f]{4}$/i.test(q) ? sql`right(payouts.id::text, 4) = ${q.toLowerCase()}` : undefined,

  traceNumber: (q) => {
    const [, sequence] = /^\d{8}(\d{7})$/.exec(q) ?? []
    return sequence === undefined
      ? undefined
      : sql`payment_type = 'bank_transfer' and ${leadsPayment} and payouts.number % ${sql.raw(String(TRACE_NUMBERS))} = ${Number(sequence)}`
  },

  paypalId: (q) => {
    const [, number] = /^payout-(\d{1,15})$/i.exec(q) ?? []
    return number === undefined ? undefined : sql`payouts.number = ${Number(number)}`
  },

  account: (q, keys) => {
    const indexes = accountIndexes(keys, q)
    return indexes.length === 0
      ? undefined
      : sql`gift_card_id in (
          select id from gift_cards where cleared_at is null and payment_account_index = any(${sql.param(indexes)}::bytea[])
        )`
  },

  /** Only the pair of routing and account number has a blind index. */
  endOfAccount: (q) => {
    const digits = q.replace(/[\s-]/g, '')
    return /^\d{4,14}$/.test(digits) ? sql`right(account_hint, 4) = ${digits.slice(-4)}` : undefined
  },

  amount: (q) => {
    const cents = centsOf(q)
    return cents === undefined ? undefined : sql`amount = ${cents}`
  },

  amountOfEntry: (q) => {
    const cents = centsOf(q)
    return cents === undefined ? undefined : sql`entry_total = ${cents}`
  },

  batchTotal: (q) => {
    const cents = centsOf(q)
    return cents === undefined
      ? undefined
      : sql`batch_id in (select id from payout_batches where total = ${cents})`
  },

  batchNumber: (q) => {
    const [, number] = /^(?:batch |#)?(\d{1,15})$/i.exec(q) ?? []
    return number === undefined
      ? undefined
      : sql`batch_id in (select id from payout_batches where number = ${Number(number)})`
  },

  sentOn: (q) => onDay(sql`sent_at`, q),
  paidOn: (q) => onDay(sql`paid_at`, q),
  returnedOn: (q) => onDay(sql`returned_at`, q),
}

const isId = (q: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(q)

const centsOf = (q: string) => parseDollars(q.replace(/^\$/, '').replaceAll(',', ''))

function onDay(time: SQL, q: string): SQL | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(q) || Number.isNaN(Date.parse(q))) return undefined
  return sql`${time} >= ${q}::date and ${time} < ${q}::date + 1`
}
