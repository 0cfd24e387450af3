import { ensureInstallation } from '#server/operator/installation.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { isUnknownToDatabase } from '#server/platform/database/errors.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { hasTables } from '#server/platform/database/open-database.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { installation } from '#server/platform/database/schema.ts'

/** Migrates a database that is empty, or that an earlier run has created. Changes no other. */
export async function migrateOwn(db: Database): Promise<void> {
  const isNew = !(await hasTables(db.$client))
  if (!isNew) await requireGenerated(db)
  const applied = await migrate(db.$client)
  // A server that started at the same time has migrated the database instead.
  if (isNew && applied.length > 0) {
    await ensureInstallation(db)
    await db.update(installation).set({ isGenerated: true })
  }
  await requireGenerated(db)
}

async function requireGenerated(db: Database): Promise<void> {
  const found = await db.select({ isGenerated: installation.isGenerated }).from(installation).catch(noTable)
  if (found[0]?.isGenerated) return
  throw new OperatorError(
    'This database was not created by npm run data, so it may be a real shop. Set DATA_DIR to a new folder, or ' +
      'DATABASE_URL to an empty database.',
  )
}

/** In a database of an earlier version. */
function noTable(error: unknown): [] {
  if (isUnknownToDatabase(error)) return []
  throw error
}
