import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Cents } from '#domain/money.ts'
import type { ApprovedToday } from '#domain/policy.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { policies } from '#server/platform/database/schema.ts'
import type { LockedCard } from '../queries.ts'

export type PolicyRow = typeof policies.$inferSelect

/** Whether a version is the newest one, which is the policy. */
export const isNewest = sql<boolean>`not exists (
  select from policies newer where newer.id = policies.id and newer.version > policies.version
)`

/** The policies that decide, or only record what they would decide, about cards of a brand. */
export const decidesOn = (brand: string): SQL | undefined =>
  and(isNewest, ne(policies.mode, 'off'), sql`${brand} = any(${policies.brands})`)

/**
 * The policies that have not decided on a card that has waited for them, oldest first. Once a policy has left a card to a person as
 * a sample, no other one approves it.
 */
export async function listDuePolicies(
  tx: Transaction,
  { id, brand, createdAt, lockedAt }: LockedCard & { readonly createdAt: Date },
): Promise<PolicyRow[]> {
  const waitedMinutes = Math.floor((lockedAt.getTime() - createdAt.getTime()) / 60_000)
  return tx
    .select()
    .from(policies)
    .where(
      and(
        decidesOn(brand),
        sql`${policies.waitMinutes} <= ${waitedMinutes}`,
        sql`not exists (
          select from policy_decisions where gift_card_id = ${id} and (
            policy_id = policies.id and policy_version = policies.version
            or reason = 'sample' and policies.mode = 'on'
          )
        )`,
      ),
    )
    .orderBy(asc(policies.id))
}

/** Until the transaction ends, no policy decides and none changes. */
export async function lockPolicies(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('policy decisions'))`)
}

/** What all policies have approved today, in the shop's time zone, reverted or not. A policy in shadow mode counts itself only. */
export async function readApprovedToday(
  db: Executor,
  sellerId: string,
  { id, mode }: Pick<PolicyRow, 'id' | 'mode'>,
): Promise<ApprovedToday> {
  const counts =
    mode === 'on' ? sql`outcome = 'approved'` : sql`outcome = 'would_approve' and policy_id = ${id}`
  const { rows } = await db.execute<{ seller: Cents; shop: Cents }>(sql`
    select coalesce(sum(price), 0)::float8 as shop,
      coalesce(sum(price) filter (where gift_cards.seller_id = ${sellerId}), 0)::float8 as seller
    from policy_decisions join gift_cards on gift_cards.id = gift_card_id
    where policy_decisions.at >= date_trunc('day', now()) and ${counts}`)
  return onlyRow(rows)
}

export async function findPolicy(db: Executor, id: string): Promise<PolicyRow | undefined> {
  const [found] = await db
    .select()
    .from(policies)
    .where(and(eq(policies.id, id), isNewest))
  return found
}
