import { sql } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'

/** Every table whose rows have a data key of their own, and the column that names the row in it. */
export const sealedTables = [
  // The photos of a submission are sealed by its key: rewrapping that one moves them too.
  { table: 'gift_cards', id: 'id' },
  { table: 'payment_methods', id: 'id' },
  { table: 'second_factors', id: 'administrator_id' },
] as const
export type SealedTable = (typeof sealedTables)[number]

/** How many data keys of a table are wrapped under which master key; malformed ones under ''. */
export async function countByKey(db: Executor, { table }: SealedTable): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ key: string | null; count: number }>(sql`
    select wrapping_key_id(data_key) as key, count(*)::int as count
    from ${sql.identifier(table)} where data_key is not null group by 1`)
  return new Map(rows.map(({ key, count }) => [key ?? '', count]))
}

export interface WrappedRow extends Record<string, unknown> {
  readonly id: string
  readonly data_key: Buffer
}

interface Place {
  readonly currentId: string
  /** The id of the last row of the page before. */
  readonly after: string
  readonly limit: number
}

/** The next rows, in the order of their ids, whose data key is not wrapped under the current master key. */
export async function listOutdated(db: Executor, sealed: SealedTable, place: Place): Promise<WrappedRow[]> {
  return (await db.execute<WrappedRow>(outdated(sealed, place))).rows
}

/** The same, locked. */
export async function lockOutdated(
  tx: Transaction,
  sealed: SealedTable,
  place: Place,
): Promise<WrappedRow[]> {
  return (await tx.execute<WrappedRow>(sql`${outdated(sealed, place)} for update`)).rows
}

function outdated({ table, id }: SealedTable, { currentId, after, limit }: Place) {
  return sql`
    select ${sql.identifier(id)} as id, data_key from ${sql.identifier(table)}
    where ${sql.identifier(id)} > ${after} and wrapping_key_id(data_key) is distinct from ${currentId}
      and data_key is not null
    order by 1 limit ${limit}`
}

export async function putDataKeys(
  tx: Transaction,
  { table, id }: SealedTable,
  rewrapped: readonly WrappedRow[],
): Promise<void> {
  const ids = rewrapped.map((row) => row.id)
  const dataKeys = rewrapped.map((row) => row.data_key)
  await tx.execute(sql`
    update ${sql.identifier(table)} as sealed set data_key = fresh.data_key
    from unnest(${sql.param(ids)}::uuid[], ${sql.param(dataKeys)}::bytea[]) as fresh (id, data_key)
    where sealed.${sql.identifier(id)} = fresh.id`)
}

/** Waits for whoever is writing a data key, and keeps everybody from writing one until the transaction ends. */
export async function stopWrapping(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('Unspent master keys'))`)
}
