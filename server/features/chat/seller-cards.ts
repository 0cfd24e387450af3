import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Context } from '#server/context.ts'
import { needsAccount } from '#server/features/submissions/payout-effects.ts'
import { notFound } from '#server/http/refusal.ts'
import { giftCards } from '#server/platform/database/schema.ts'
import { userExists } from './queries.ts'

const MAX_CARDS = 20

/** A seller's newest submissions, for the staff who write with them. Throws 404 for an unknown seller. */
export async function listSellerCards({ db }: Context, sellerId: string) {
  const { id, brandName, denomination, offerAmount, sellingPrice, status, createdAt } = giftCards
  const rows = await db
    .select({
      id,
      brandName,
      denomination,
      quote: sql<number>`coalesce(${offerAmount}, ${sellingPrice})`.mapWith(sellingPrice),
      status,
      needsAccount,
      createdAt,
    })
    .from(giftCards)
    .where(and(eq(giftCards.sellerId, sellerId), isNull(giftCards.clearedAt)))
    .orderBy(desc(id))
    .limit(MAX_CARDS)
  if (rows.length === 0 && !(await userExists(db, sellerId))) throw notFound()
  return rows
}
