import { and, desc, eq, isNotNull, lt, sql } from 'drizzle-orm'
import { type ReviewState, SHOWN_REVIEWS } from '#domain/review.ts'
import { countRows } from '#server/http/paging.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, reviews, transactions, users } from '#server/platform/database/schema.ts'
import type { Locale } from '#words/locales.ts'

interface ReviewFilter {
  readonly state?: ReviewState | undefined
}

/** A page of reviews with a text, newest first, with one row more than the limit if there are more. */
export async function listReviews(
  db: Executor,
  { cursor, limit, ...filter }: ReviewFilter & { cursor?: string | undefined; limit: number },
) {
  const after = cursor === undefined ? undefined : lt(reviews.id, cursor)
  return await select(db)
    .where(and(matches(filter), after))
    .orderBy(desc(reviews.id))
    .limit(limit + 1)
}

export async function countReviews(db: Executor, filter: ReviewFilter): Promise<number> {
  return await countRows(db, reviews, matches(filter))
}

export async function findStaffReview(db: Executor, id: string) {
  return await select(db).where(eq(reviews.id, id))
}

const matches = ({ state }: ReviewFilter) =>
  and(isNotNull(reviews.comment), state && eq(reviews.state, state))

function select(db: Executor) {
  return db
    .select({
      id: reviews.id,
      rating: reviews.rating,
      comment: sql<string>`${reviews.comment}`,
      firstName: sql<string>`coalesce(${reviews.firstName}, '')`,
      locale: reviews.locale,
      state: reviews.state,
      giftCardId: transactions.giftCardId,
      brandName: giftCards.brandName,
      sellerId: reviews.reviewerId,
      username: users.username,
      createdAt: reviews.createdAt,
    })
    .from(reviews)
    .innerJoin(users, eq(users.id, reviews.reviewerId))
    .innerJoin(transactions, eq(transactions.id, reviews.transactionId))
    .innerJoin(giftCards, eq(giftCards.id, transactions.giftCardId))
}

/** Maximum approved reviews that are searched for three sellers. */
const SEARCHED = 100

/** The newest approved reviews, one of each seller. */
export async function findShownReviews(db: Executor) {
  const { rows } = await db.execute<ShownRow>(sql`
    select id, rating, comment, first_name as "firstName", locale, to_char(created_at at time zone 'UTC', 'YYYY-MM') as month
    from (
      select distinct on (reviewer_id) * from (
        select * from reviews
        where state = 'approved' and comment is not null and first_name <> ''
        order by id desc limit ${SEARCHED}
      ) as newest
      order by reviewer_id, id desc
    ) as of_each
    order by id desc limit ${SHOWN_REVIEWS}`)
  return rows
}

type ShownRow = {
  id: string
  rating: number
  comment: string
  firstName: string
  locale: Locale
  month: string
}
