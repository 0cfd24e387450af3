import { eq } from 'drizzle-orm'
import { NIL } from 'uuid'
import { record } from '#server/features/audit/actions.ts'
import type { Database, Transaction } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'
import { droppedKeys, keyCheck } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { VaultError } from '#server/platform/vault/context.ts'
import { makeKeyCheck } from '#server/platform/vault/key-check.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { rewrapKey, wrappingKeyId } from '#server/platform/vault/seal.ts'
import { DATA_KEY_COLUMN } from '#server/platform/vault/sealed-row.ts'
import * as queries from './rotation-queries.ts'

/** The channel on which servers hear that their key file has changed. */
export const KEYS_CHANNEL = 'unspent_keys'

/** So many rows are locked at once: whoever wants one of them waits for some milliseconds. */
const BATCH = 200

export type Table = queries.SealedTable['table']

/** How many data keys each table has under each master key. */
export async function countKeys(db: Database): Promise<ReadonlyMap<Table, ReadonlyMap<string, number>>> {
  const counts = new Map<Table, ReadonlyMap<string, number>>()
  for (const sealed of queries.sealedTables) counts.set(sealed.table, await queries.countByKey(db, sealed))
  return counts
}

/** Servers read their key file again and seal what is new under its first key. */
export async function tellServers(db: Database): Promise<void> {
  await notify(db, KEYS_CHANNEL)
}

export interface Rewrapped {
  readonly table: Table
  readonly rows: number
  /** Ids of rows whose data key does not open: changed, or wrapped under a key that is not there. They stay as they are. */
  readonly unopened: readonly string[]
}

/**
 * Moves every data key under the current master key, batch by batch, each committed by itself: killed at any moment,
 * the next run goes on with what is left. Nothing that is sealed changes, and it opens at any moment.
 */
export async function rewrapAll(
  db: Database,
  keys: KeyRing,
  progress: (done: Rewrapped) => void,
): Promise<Rewrapped[]> {
  const results: Rewrapped[] = []
  for (const sealed of queries.sealedTables) {
    const done = await rewrapTable(db, keys, sealed)
    progress(done)
    results.push(done)
  }
  await db.update(keyCheck).set(makeKeyCheck(keys)).where(eq(keyCheck.single, true))
  const rows = results.reduce((sum, result) => sum + result.rows, 0)
  await transaction(db, (tx) =>
    record(tx, {
      actor: { kind: 'system' },
      action: 'keys.rotated',
      subject: { kind: 'key', id: keys.currentId },
      details: { by: 'command line', rows },
    }),
  )
  return results
}

async function rewrapTable(db: Database, keys: KeyRing, sealed: queries.SealedTable): Promise<Rewrapped> {
  const done = { table: sealed.table, rows: 0, unopened: [] as string[] }
  for (let after: string = NIL; ; ) {
    const batch = await transaction(db, (tx) => rewrapBatch(tx, keys, sealed, after))
    done.rows += batch.rows
    done.unopened.push(...batch.unopened)
    if (batch.last === undefined) return done
    after = batch.last
  }
}

async function rewrapBatch(tx: Transaction, keys: KeyRing, sealed: queries.SealedTable, after: string) {
  const outdated = await queries.lockOutdated(tx, sealed, { currentId: keys.currentId, after, limit: BATCH })
  const tried = outdated.map((row) => ({ id: row.id, dataKey: rewrapped(keys, sealed, row) }))
  const opened = tried.flatMap(({ id, dataKey }) => (dataKey ? [{ id, data_key: dataKey }] : []))
  if (opened.length > 0) await queries.putDataKeys(tx, sealed, opened)
  const unopened = tried.filter(({ dataKey }) => !dataKey).map(({ id }) => id)
  return { rows: opened.length, unopened, last: outdated.at(-1)?.id }
}

/** Undefined when it does not open. */
function rewrapped(
  keys: KeyRing,
  { table }: queries.SealedTable,
  row: queries.WrappedRow,
): Buffer | undefined {
  try {
    return rewrapKey(keys, row.data_key, { table, column: DATA_KEY_COLUMN, row: row.id })
  } catch (error) {
    if (error instanceof VaultError) return undefined
    throw error
  }
}

/**
 * Whether rows are under an older key: a rotation was cut off. Rows that open under no key don't count; they must not
 * keep anybody from making a new one.
 */
export async function hasOutdated(db: Database, keys: KeyRing): Promise<boolean> {
  for (const sealed of queries.sealedTables) {
    for (let after: string | undefined = NIL; after !== undefined; ) {
      const rows: queries.WrappedRow[] = await queries.listOutdated(db, sealed, {
        currentId: keys.currentId,
        after,
        limit: BATCH,
      })
      if (rows.some((row) => rewrapped(keys, sealed, row))) return true
      after = rows.at(-1)?.id
    }
  }
  return false
}

/**
 * Declares a master key dropped: from then on the database takes nothing that is wrapped under it.
 * @returns what still needs it, by table; then nothing was done
 */
export async function dropKey(db: Database, id: string): Promise<ReadonlyMap<Table | 'key_check', number>> {
  return transaction(db, async (tx) => {
    await queries.stopWrapping(tx)
    const needing = await countNeeding(tx, id)
    if (needing.size > 0) return needing
    const dropped = await tx.insert(droppedKeys).values({ id }).onConflictDoNothing().returning()
    if (dropped.length > 0) {
      await record(tx, {
        actor: { kind: 'system' },
        action: 'keys.dropped',
        subject: { kind: 'key', id },
        details: { by: 'command line' },
      })
    }
    return needing
  })
}

async function countNeeding(tx: Transaction, id: string): Promise<Map<Table | 'key_check', number>> {
  const needing = new Map<Table | 'key_check', number>()
  for (const sealed of queries.sealedTables) {
    const count = (await queries.countByKey(tx, sealed)).get(id)
    if (count) needing.set(sealed.table, count)
  }
  const [check] = await tx.select({ wrapped: keyCheck.wrapped }).from(keyCheck)
  if (check && wrappingKeyId(check.wrapped) === id) needing.set('key_check', 1)
  return needing
}

/** A name that no master key has, or had. */
export async function nextKeyId(db: Database, keys: KeyRing): Promise<string> {
  const used = new Set(keys.masters.keys())
  for (const { id } of await db.select({ id: droppedKeys.id }).from(droppedKeys)) used.add(id)
  for (const counts of (await countKeys(db)).values()) for (const id of counts.keys()) used.add(id)
  let number = used.size + 1
  while (used.has(`k${number}`)) number += 1
  return `k${number}`
}
