import { and, desc, eq, getTableColumns, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { SellerAnswer } from '#contract/sellers.ts'
import { may } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { bounceOf } from '#server/features/accounts/sellers/account.ts'
import { returnReasonOf } from '#server/features/books/payouts.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { chatThreads, giftCards, payouts, users } from '#server/platform/database/schema.ts'
import { failedForAccount, lastPayoutAmount, needsAccount, notCleared } from '../../queries.ts'
import { findLinks } from './links.ts'
import { findNotes } from './notes.ts'

const MAX_SUBMISSIONS = 20
const MAX_PAYOUTS = 20
const MAX_ACCOUNTS = 20
const MAX_NOTES = 20
/** Submissions to one payout account in which other sellers are counted. */
const MAX_COUNTED = 200

export async function readSeller(
  context: Context,
  staff: Pick<Staff, 'role'>,
  id: string,
): Promise<SellerAnswer> {
  const { db } = context
  const [user] = await db.select().from(users).where(eq(users.id, id))
  if (!user) throw notFound()
  const [counts, paid, submissions, payouts, accounts, links, chat, { notes, stateChange }] =
    await Promise.all([
      countSubmissions(db, id),
      sumPaid(db, id),
      listSubmissions(db, id),
      listPayouts(context, id),
      listAccounts(db, id),
      findLinks(db, id),
      findChat(db, id),
      findNotes(context, staff, id, MAX_NOTES),
    ])
  const seller: SellerAnswer = {
    ...user,
    mustConfirmEmail: !(user.verified || user.confirmationWaived),
    bounce: bounceOf(user),
    stateChange,
    totals: { ...counts, paid },
    submissions,
    payouts,
    accounts,
    links,
    chat,
    notes,
  }
  if (may(staff.role, 'see_details')) return seller
  return { ...seller, ...withoutDetails }
}

const withoutDetails = {
  ...{ bounce: null, phoneNumber: null, stateChange: null },
  ...{ payouts: [], accounts: [], links: [], notes: [] },
} satisfies Partial<SellerAnswer>

async function countSubmissions(
  db: Executor,
  sellerId: string,
): Promise<Omit<SellerAnswer['totals'], 'paid'>> {
  const count = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::integer`
  const sum = (condition: SQL) =>
    sql`coalesce(sum(${lastPayoutAmount}) filter (where ${condition}), 0)`.mapWith(Number)
  const { status, appealedAt } = giftCards
  return onlyRow(
    await db
      .select({
        submitted: sql<number>`count(*)::integer`,
        open: count(inArray(status, ['pending', 'under_review', 'offered'])),
        approved: count(eq(status, 'processing')),
        completed: count(eq(status, 'completed')),
        // Only rejected submissions can be appealed.
        rejected: count(sql`${eq(status, 'rejected')} or ${isNotNull(appealedAt)}`),
        failed: count(eq(status, 'failed')),
        // An approved submission is paid with its last payout, as is one that failed because of its account.
        owed: sum(sql`status = 'processing' or ${failedForAccount}`),
        unpayable: sum(needsAccount),
      })
      .from(giftCards)
      .where(and(eq(giftCards.sellerId, sellerId), notCleared)),
  )
}

async function sumPaid(db: Executor, sellerId: string): Promise<number> {
  const { paid } = onlyRow(
    await db
      .select({ paid: sql`coalesce(sum(${payouts.amount}), 0)`.mapWith(Number) })
      .from(payouts)
      .where(and(eq(payouts.sellerId, sellerId), eq(payouts.state, 'paid'))),
  )
  return paid
}

/** When the submission of a void payout failed or was otherwise no longer approved. Null for one that was voided without that. */
const voidedAt = sql<Date | null>`(
  select min(at) from status_history
  where status_history.gift_card_id = payouts.gift_card_id and at >= payouts.due_at
    and payouts.state = 'void' and not payouts.by_hand and payouts.batch_id is null
    and from_status in ('processing', 'completed') and to_status not in ('processing', 'completed')
)`.mapWith((at) => (at === null ? null : new Date(at)))

async function listPayouts({ db, words }: Context, sellerId: string): Promise<SellerAnswer['payouts']> {
  const rows = await db
    .select({ ...getTableColumns(payouts), voidedAt })
    .from(payouts)
    .where(eq(payouts.sellerId, sellerId))
    .orderBy(desc(payouts.number))
    .limit(MAX_PAYOUTS)
  return rows.map((payout) => ({
    ...payout,
    submissionId: payout.giftCardId,
    account: payout.accountHint,
    returnReason: returnReasonOf(words.en, payout),
  }))
}

async function listSubmissions(db: Executor, sellerId: string): Promise<SellerAnswer['submissions']> {
  const { id, brandName, unlistedBrand, denomination, sellingPrice, status, createdAt } = giftCards
  return await db
    .select({
      id,
      brandName,
      unlistedBrand,
      denomination,
      quote: sellingPrice,
      status,
      needsAccount,
      createdAt,
    })
    .from(giftCards)
    .where(and(eq(giftCards.sellerId, sellerId), notCleared))
    .orderBy(desc(id))
    .limit(MAX_SUBMISSIONS)
}

async function listAccounts(db: Executor, sellerId: string): Promise<SellerAnswer['accounts']> {
  const { rows } = await db.execute<AccountRow>(sql`
    select payment_type as "paymentType", account_name as "accountName", account, since, submissions, (
      select count(distinct seller_id)::integer from (
        select seller_id from gift_cards
        where payment_account_index = own.index and seller_id <> ${sellerId} and cleared_at is null
        order by id desc limit ${MAX_COUNTED}
      ) others
    ) as "otherSellers"
    from (
      select payment_account_index as index, payment_type, count(*)::integer as submissions,
        (array_agg(payment_account_name order by id desc))[1] as account_name,
        (array_agg(payment_account_hint order by id desc))[1] as account,
        min(created_at) as since, max(created_at) as last_used
      from gift_cards
      where seller_id = ${sellerId} and cleared_at is null and payment_account_index is not null
      group by payment_account_index, payment_type
      order by last_used desc limit ${MAX_ACCOUNTS}
    ) own
    order by last_used desc`)
  return rows.map((row) => ({ ...row, since: new Date(row.since) }))
}

type AccountRow = Omit<SellerAnswer['accounts'][number], 'since'> & { readonly since: string }

async function findChat(db: Executor, sellerId: string): Promise<SellerAnswer['chat']> {
  const [thread] = await db
    .select({ lastMessageTime: chatThreads.lastMessageAt, unreadCount: chatThreads.staffUnread })
    .from(chatThreads)
    .where(eq(chatThreads.userId, sellerId))
  return thread ?? null
}
