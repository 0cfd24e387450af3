import { eq, sql } from 'drizzle-orm'
import { record } from '#server/features/audit/actions.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { isUnknownToDatabase } from '#server/platform/database/errors.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { installation, photoIntents, photos as photoRows } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { PhotoStorage } from '#server/platform/photos/storage.ts'

/** The photo store is another installation's. The message is one line, made for the operator. */
export class ForeignStoreError extends OperatorError {
  override name = 'ForeignStoreError'

  constructor(store: string, remedy: string) {
    super(
      `STORAGE_URL: the photo store ${store} belongs to another installation, as its mark says. Use a store of its ` +
        `own, or, if that installation is gone for good: ${remedy}`,
    )
  }
}

/** The photo store is empty, or another one than before. The message is one line, made for the operator. */
export class UnmarkedStoreError extends OperatorError {
  override name = 'UnmarkedStoreError'

  constructor(store: string, last: string) {
    super(
      `STORAGE_URL: the photo store ${store} lacks the mark of this installation, which last used ${last}. Is its disk ` +
        'mounted, and is it the right folder or bucket? To use it anyway: npm run admin -- take-over-store',
    )
  }
}

interface Claim {
  readonly photos: PhotoStorage
  /** What people call it. */
  readonly store: string
  /** Takes the store from the installation that it belongs to, or one that has lost its mark. */
  readonly takeOver?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes sure that the store belongs to the installation of this database. Marks a store without a mark, unless it had
 * this installation's mark before or the installation has photos elsewhere.
 *
 * @throws {ForeignStoreError}
 * @throws {UnmarkedStoreError}
 */
export async function bindStore(
  db: Database,
  { photos, store, takeOver = false, signal }: Claim,
): Promise<void> {
  // Read before the mark: another server that starts for the first time writes the mark before it fills in `store`.
  const { id, store: last } = await readInstallation(db)
  const mark = await photos.readMark(signal)
  if (mark !== id) {
    if (!takeOver) {
      if (mark !== undefined) throw new ForeignStoreError(store, 'npm run admin -- take-over-store')
      if (last !== null && (last === store || (await db.$count(photoRows)) > 0))
        throw new UnmarkedStoreError(store, last)
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

/**
 * Makes sure that a command looks at the store that the server uses, and changes nothing.
 *
 * @throws {OperatorError} when it is another store
 */
export async function requireOwnStore(db: Database, { photos, store }: Claim): Promise<void> {
  const [known] = await db
    .select()
    .from(installation)
    .catch((error) => {
      // A database of an earlier version can still be backed up before it is migrated.
      if (isUnknownToDatabase(error)) return []
      throw error
    })
  // Before the first start of a server there is nothing to compare.
  if (!known || (await photos.readMark()) === known.id) return
  throw new OperatorError(
    `STORAGE_URL: ${store} is not the photo store of the server, which last used ${known.store}. Give this command ` +
      'the settings of the server.',
  )
}

/**
 * The id that all servers of this database share, and the store that they last used. A copy, such as a restored dump,
 * gets another id, and forgets the store and which files the original meant to remove.
 */
async function readInstallation(db: Database): Promise<{ id: string; store: string | null }> {
  return await transaction(db, async (tx) => {
    const database = sql`(
      SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
      FROM pg_control_system()
    )`
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
    return onlyRow(await tx.select({ id: installation.id, store: installation.store }).from(installation))
  })
}
