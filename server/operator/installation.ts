import { eq, sql } from 'drizzle-orm'
import { record } from '#server/features/audit/actions.ts'
import { stopPayouts } from '#server/features/payouts/payout-stop.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { isUnknownToDatabase } from '#server/platform/database/errors.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { installation, photoIntents, photos as photoRows } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { PhotoStorage } from '#server/platform/photos/storage.ts'

interface StoreOptions {
  readonly photos: PhotoStorage
  /** Its name for messages. */
  readonly store: string
  /** Uses the store even if it belongs to another installation or has lost its mark. */
  readonly takeOver?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Ensures that the store belongs to the installation of this database. Marks an unmarked store, unless this installation has
 * used it before or has photos elsewhere.
 *
 * @throws {OperatorError}
 */
export async function bindStore(
  db: Database,
  { photos, store, takeOver = false, signal }: StoreOptions,
): Promise<void> {
  // Must be read before the mark: a server on its first start writes the mark first and then `store`.
  const { id, store: last } = await ensureInstallation(db)
  const mark = await photos.readMark(signal)
  if (mark !== id) {
    if (!takeOver) {
      if (mark !== undefined) throw foreignStore(store, './unspent admin take-over-store')
      if (last !== null && (last === store || (await db.$count(photoRows)) > 0))
        throw new OperatorError(
          `STORAGE_URL: the photo store ${store} lacks the mark of this installation, which last used ${last}. Is its disk ` +
            'mounted, and is it the right folder or bucket? To use it anyway: ./unspent admin take-over-store',
        )
    }
    await photos.writeMark(id, signal)
  }
  await transaction(db, async (tx) => {
    await tx.update(installation).set({ store }).where(eq(installation.single, true))
    if (!takeOver || mark === id) return
    await record(tx, {
      actor: { kind: 'system' },
      action: 'store.taken_over',
      subject: { kind: 'store', id: store },
      details: { by: 'command line' },
    })
  })
}

export function foreignStore(store: string, remedy: string): OperatorError {
  return new OperatorError(
    `STORAGE_URL: the photo store ${store} belongs to another installation, according to its mark. Use a separate store ` +
      `or, if that installation is gone for good: ${remedy}`,
  )
}

/**
 * Ensures that a command uses the store of the server. Changes nothing.
 *
 * @throws {OperatorError}
 */
export async function requireOwnStore(db: Database, { photos, store }: StoreOptions): Promise<void> {
  const [known] = await db
    .select({ id: installation.id, store: installation.store })
    .from(installation)
    .catch((error) => {
      // Allows backing up a database of an earlier version before migrating it.
      if (isUnknownToDatabase(error)) return []
      throw error
    })
  // No server has started yet.
  if (!known || (await photos.readMark()) === known.id) return
  throw new OperatorError(
    `STORAGE_URL: ${store} is not the photo store of the server, which last used ${known.store}. Run this command ` +
      "with the server's settings.",
  )
}

/**
 * The id of the installation and the store that its servers last used. A copy of the database, such as a restored dump, gets
 * another id and forgets the store and the files that the original was about to remove. Its payouts stop: the original may
 * have sent some since it was copied.
 */
export async function ensureInstallation(db: Database): Promise<{ id: string; store: string | null }> {
  return await transaction(db, async (tx) => {
    const database = sql`(
      SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
      FROM pg_control_system()
    )`
    const [known] = await tx.select({ id: installation.id }).from(installation)
    const made = await tx
      .insert(installation)
      .values({ id: sql`gen_random_uuid()`, database })
      .onConflictDoUpdate({
        target: installation.single,
        set: { id: sql`excluded.id`, database: sql`excluded.database`, store: null },
        setWhere: sql`installation.database <> excluded.database`,
      })
      .returning({ id: installation.id })
    if (made.length > 0) await tx.delete(photoIntents)
    if (made.length > 0 && known) await stopPayouts(tx)
    return onlyRow(await tx.select({ id: installation.id, store: installation.store }).from(installation))
  })
}
