import { sql } from 'drizzle-orm'
import { NIL } from 'uuid'
import { record } from '#server/features/audit/actions.ts'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { droppedKeys, keyCheck } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { saveKeyCheck } from '#server/platform/vault/key-check.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { DATA_KEY_COLUMN, rewrapKey, VaultError, wrappingKeyId } from '#server/platform/vault/seal.ts'

/** Every table whose rows have data keys, and its id column. */
export const sealedTables = [
  // The photos of a submission are sealed under its data key.
  { table: 'gift_cards', id: 'id' },
  { table: 'chat_messages', id: 'id' },
  { table: 'payment_methods', id: 'id' },
  { table: 'payout_batches', id: 'id' },
  { table: 'second_factors', id: 'account_id' },
  { table: 'notes', id: 'id' },
  { table: 'holds', id: 'id' },
  { table: 'code_exports', id: 'id' },
  { table: 'tax_details', id: 'user_id' },
  { table: 'webhook_endpoints', id: 'id' },
  { table: 'balance_connectors', id: 'id' },
] as const
type SealedTable = (typeof sealedTables)[number]

/** Rows locked at once. A request for one of them waits for milliseconds. */
const BATCH = 200

interface Rewrapped {
  readonly table: string
  readonly rows: number
  /** Ids of rows whose data key was changed, or is wrapped under a missing key. They are left alone. */
  readonly unopened: readonly string[]
}

/**
 * Wraps every data key under the current master key, table by table. Commits in batches, so that the next run resumes an
 * interrupted one. Secrets can be opened at any moment.
 */
export async function* rewrapAll(db: Database, keys: KeyRing): AsyncGenerator<Rewrapped> {
  let rows = 0
  for (const sealed of sealedTables) {
    const rewrapped = await rewrapTable(db, keys, sealed)
    rows += rewrapped.rows
    yield rewrapped
  }
  await saveKeyCheck(db, keys)
  await transaction(db, (tx) => recordKey(tx, 'keys.rotated', keys.currentId, { rows }))
}

async function rewrapTable(db: Database, keys: KeyRing, sealed: SealedTable): Promise<Rewrapped> {
  const unopened: string[] = []
  let rows = 0
  for (let after: string | undefined = NIL; after !== undefined; ) {
    const start: string = after
    after = await transaction(db, async (tx) => {
      const outdated = await listOutdated(tx, sealed, keys.currentId, start, 'lock')
      const rewrapped: WrappedRow[] = []
      for (const row of outdated) {
        const dataKey = rewrap(keys, sealed, row)
        if (dataKey) rewrapped.push({ id: row.id, data_key: dataKey })
        else unopened.push(row.id)
      }
      if (rewrapped.length > 0) await updateDataKeys(tx, sealed, rewrapped)
      rows += rewrapped.length
      return outdated.at(-1)?.id
    })
  }
  return { table: sealed.table, rows, unopened }
}

/**
 * Whether an earlier rotation was interrupted. Ignores rows that open under no key: they must not prevent making a new one.
 */
export async function hasOutdated(db: Database, keys: KeyRing): Promise<boolean> {
  for (const sealed of sealedTables) {
    for (let after: string | undefined = NIL; after !== undefined; ) {
      const rows: WrappedRow[] = await listOutdated(db, sealed, keys.currentId, after)
      if (rows.some((row) => rewrap(keys, sealed, row))) return true
      after = rows.at(-1)?.id
    }
  }
  return false
}

/** Returns undefined if the data key does not open. */
function rewrap(keys: KeyRing, { table }: SealedTable, row: WrappedRow): Buffer | undefined {
  try {
    return rewrapKey(keys, row.data_key, { table, column: DATA_KEY_COLUMN, row: row.id })
  } catch (error) {
    if (error instanceof VaultError) return undefined
    throw error
  }
}

/**
 * Drops a master key unless it is still needed. From then on the database rejects rows that are wrapped under it.
 *
 * @returns the rows that need the key
 */
export async function dropKey(db: Database, id: string): Promise<KeyUse[]> {
  return transaction(db, async (tx) => {
    // Waits for transactions that are writing data keys, and blocks new ones until this one ends.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('Unspent master keys'))`)
    const uses = await countKeys(tx)
    const [check] = await tx.select({ wrapped: keyCheck.wrapped }).from(keyCheck)
    if (check) uses.push({ table: 'key_check', key: wrappingKeyId(check.wrapped), count: 1 })
    const needed = uses.filter(({ key }) => key === id)
    if (needed.length > 0) return needed
    const dropped = await tx.insert(droppedKeys).values({ id }).onConflictDoNothing().returning()
    if (dropped.length > 0) await recordKey(tx, 'keys.dropped', id)
    return []
  })
}

function recordKey(tx: Transaction, action: 'keys.rotated' | 'keys.dropped', id: string, details = {}) {
  const by = 'command line'
  return record(tx, {
    actor: { kind: 'system' },
    action,
    subject: { kind: 'key', id },
    details: { by, ...details },
  })
}

/** An id that no master key has or had. */
export async function nextKeyId(db: Database, keys: KeyRing): Promise<string> {
  const dropped = await db.select({ id: droppedKeys.id }).from(droppedKeys)
  const uses = await countKeys(db)
  const used = new Set([
    ...keys.masters.keys(),
    ...dropped.map(({ id }) => id),
    ...uses.map(({ key }) => key),
  ])
  let number = used.size + 1
  while (used.has(`k${number}`)) number += 1
  return `k${number}`
}

interface KeyUse extends Record<string, unknown> {
  readonly table: string
  /** The master key. '' if the data keys are malformed. */
  readonly key: string
  /** The number of data keys that it wraps. */
  readonly count: number
}

export async function countKeys(db: Executor): Promise<KeyUse[]> {
  const counts = sealedTables.map(
    ({ table }) => sql`
      select ${table} as table, coalesce(wrapping_key_id(data_key), '') as key, count(*)::int as count
      from ${sql.identifier(table)} where data_key is not null group by 2`,
  )
  const { rows } = await db.execute<KeyUse>(sql.join(counts, sql` union all `))
  return rows
}

interface WrappedRow extends Record<string, unknown> {
  readonly id: string
  readonly data_key: Buffer
}

/** The next rows by id whose data key is not wrapped under the current master key. */
async function listOutdated(
  db: Executor,
  { table, id }: SealedTable,
  currentId: string,
  after: string,
  lock?: 'lock',
): Promise<WrappedRow[]> {
  const { rows } = await db.execute<WrappedRow>(sql`
    select ${sql.identifier(id)} as id, data_key from ${sql.identifier(table)}
    where ${sql.identifier(id)} > ${after} and wrapping_key_id(data_key) is distinct from ${currentId}
      and data_key is not null
    order by 1 limit ${BATCH} ${lock ? sql`for update` : sql``}`)
  return rows
}

async function updateDataKeys(
  tx: Transaction,
  { table, id }: SealedTable,
  rewrapped: readonly WrappedRow[],
): Promise<void> {
  const ids = rewrapped.map((row) => row.id)
  const dataKeys = rewrapped.map((row) => row.data_key)
  await tx.execute(sql`
    update ${sql.identifier(table)} as sealed set data_key = rewrapped.data_key
    from unnest(${sql.param(ids)}::uuid[], ${sql.param(dataKeys)}::bytea[]) as rewrapped (id, data_key)
    where sealed.${sql.identifier(id)} = rewrapped.id`)
}
