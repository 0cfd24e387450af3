import { and, count, desc, eq, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#contract/values.ts'
import { ASK_FOR_REVIEW_DAYS } from '#domain/review.ts'
import { OFFER_HOURS, openStatuses, type Status } from '#domain/submission.ts'
import { accountRefusal } from '#server/features/books/dead-accounts.ts'
import { countRows } from '#server/http/paging.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, transactions } from '#server/platform/database/schema.ts'
import { latestRequest } from '../balance-requests.ts'
import {
  ending,
  failedForAccount,
  notCleared,
  photoNames,
  resubmission,
  resubmissionOf,
  statusReason,
} from '../queries.ts'
import { latestPayout } from './payout.ts'

export type SellerCardRow = Awaited<ReturnType<typeof listSellerCards>>[number]
export type TransactionRow = Awaited<ReturnType<typeof listTransactions>>[number]

/** What staff found on a card before they made the open offer, in cents. Null if it is not less than the face value. */
const balance = sql<string | null>`(
  select case when amount < gift_cards.denomination then amount end from balance_checks
  where balance_checks.gift_card_id = gift_cards.id and gift_cards.status = 'offered'
    and balance_checks.at <= gift_cards.offer_expires_at - make_interval(hours => ${OFFER_HOURS})
  order by balance_checks.id desc limit 1
)`.mapWith((amount) => (amount === null ? null : Number(amount)))

/** The transaction, if the seller is asked to review it. */
const toReview = sql<string | null>`(
  select reviewed.id from transactions reviewed
  where reviewed.gift_card_id = gift_cards.id and gift_cards.status = 'completed'
    and gift_cards.updated_at > now() - make_interval(days => ${ASK_FOR_REVIEW_DAYS})
    and not exists (select from reviews where reviews.transaction_id = reviewed.id)
    and not exists (
      select from gift_cards other
      join transactions on transactions.gift_card_id = other.id
      join reviews on reviews.transaction_id = transactions.id
      where other.sale_id = gift_cards.sale_id
    )
)`

/** Whether a policy approved the card, and it still is. */
const isCheckedAutomatically = sql<boolean>`(
  gift_cards.status in ('processing', 'completed') and exists (
    select from policy_decisions where policy_decisions.gift_card_id = gift_cards.id and outcome = 'approved'
  )
)`

interface SellerFilter {
  readonly sellerId: string
  readonly id?: string
  readonly ids?: readonly string[]
  readonly open?: boolean
  /** Lists the cards of one sale. */
  readonly saleId?: string | undefined
}

/** What a seller reads with each card, in both lists. */
const aboutCard = { statusReason, ending, resubmission, balance, toReview, payout: latestPayout }

/** Newest first, or a sale's cards in the order of submission. One more than the limit when there are more. */
export async function listSellerCards(db: Executor, filter: SellerFilter & Partial<Page>) {
  return await db
    .select({
      card: giftCards,
      photoNames,
      balanceRequest: latestRequest,
      isCheckedAutomatically,
      resubmissionOf,
      accountRefusal,
      ...aboutCard,
    })
    .from(giftCards)
    .where(and(sellerFilter(filter), filter.cursor ? isAfter(filter.cursor, filter.saleId) : undefined))
    .orderBy(filter.saleId === undefined ? desc(giftCards.id) : giftCards.salePosition)
    .limit((filter.limit ?? 1) + 1)
}

function isAfter(cursor: string, saleId: string | undefined): SQL {
  if (saleId === undefined) return lt(giftCards.id, cursor)
  return sql`${giftCards.salePosition} > (select sale_position from gift_cards as last where last.id = ${cursor})`
}

export async function countSellerCards(db: Executor, filter: SellerFilter) {
  return await countRows(db, giftCards, sellerFilter(filter))
}

function sellerFilter({ sellerId, id, ids, open, saleId }: SellerFilter): SQL | undefined {
  return and(
    eq(giftCards.sellerId, sellerId),
    notCleared,
    id === undefined ? undefined : eq(giftCards.id, id),
    saleId === undefined ? undefined : eq(giftCards.saleId, saleId),
    ids && inArray(giftCards.id, [...ids]),
    open ? inArray(giftCards.status, [...openStatuses, 'failed']) : undefined,
    open ? or(ne(giftCards.status, 'failed'), failedForAccount) : undefined,
  )
}

export async function listTransactions(
  db: Executor,
  { sellerId, id, cursor, limit = 1 }: { sellerId: string; id?: string } & Partial<Page>,
) {
  return await db
    .select({
      transaction: transactions,
      card: giftCards,
      ...aboutCard,
    })
    .from(transactions)
    .innerJoin(giftCards, eq(giftCards.id, transactions.giftCardId))
    .where(
      and(
        eq(transactions.sellerId, sellerId),
        notCleared,
        id === undefined ? undefined : eq(giftCards.id, id),
        cursor ? lt(transactions.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(limit + 1)
}

/** The seller's number of transactions, how many of them are pending, and what the completed ones paid in cents. */
export async function sumEarnings(db: Executor, sellerId: string) {
  const inStatus = (status: Status) => eq(giftCards.status, status)
  const [sums] = await db
    .select({
      earned: sql<string>`coalesce(sum(${transactions.amount}) filter (where ${inStatus('completed')}), 0)`,
      total: count(),
      pending: sql<string>`count(*) filter (where ${inStatus('pending')})`,
    })
    .from(transactions)
    .innerJoin(giftCards, eq(giftCards.id, transactions.giftCardId))
    .where(and(eq(transactions.sellerId, sellerId), notCleared))
  return { earned: Number(sums?.earned), total: sums?.total ?? 0, pending: Number(sums?.pending) }
}
