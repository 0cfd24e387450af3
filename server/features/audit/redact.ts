import { sql } from 'drizzle-orm'
import type { Transaction } from '#server/platform/database/pool.ts'

interface Named {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
}

/**
 * Removes a seller's name from their entries, and what staff typed about them: reasons, and searches that name them. The caller
 * records the numbers of the entries, because they no longer match their hashes.
 */
export async function redact(
  tx: Transaction,
  { id, username, email, firstName, lastName }: Named,
): Promise<number[]> {
  const names = [username, email, lastName, `${firstName} ${lastName}`].map((name) => name.toLowerCase())
  const { rows: named } = await tx.execute<{ id: number }>(sql`
    update audit_log set actor_name = null
    where lower(actor_name) = lower(${username}) and actor_kind = 'seller' and actor_id = ${id} returning id::float8 as id`)
  const { rows: reasons } = await tx.execute<{ id: number }>(sql`
    update audit_log set details = details - 'reason'
    where details ? 'reason' and subject_id in (
      select ${id} union select id::text from gift_cards where seller_id = ${id}
      union select id::text from payouts where seller_id = ${id}
    ) returning id::float8 as id`)
  const { rows: searches } = await tx.execute<{ id: number }>(sql`
    update audit_log set details = details - 'q'
    where action in ('transactions.exported', 'report.exported') and details ? 'q' and exists (
      select from unnest(${sql.param(names)}::text[]) as name
      where name <> '' and (position(name in lower(details->>'q')) > 0 or position(lower(details->>'q') in name) > 0)
    ) returning id::float8 as id`)
  return [...named, ...reasons, ...searches].map((row) => row.id).sort((a, b) => a - b)
}
