import { Passwords } from '#server/features/accounts/credentials/passwords.ts'
import { createFirstAdministrator } from '#server/features/accounts/staff/administrators.ts'
import { ensureInstallation } from '#server/operator/installation.ts'
import type { Config } from '#server/platform/config/config.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { isUnknownToDatabase } from '#server/platform/database/errors.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { hasEmbedded, hasTables, openDatabase } from '#server/platform/database/open-database.ts'
import { createDatabase, createPool, type Database } from '#server/platform/database/pool.ts'
import { installation } from '#server/platform/database/schema.ts'
import { makeFirstKeys, rememberKeys } from '#server/platform/vault/key-check.ts'
import { findKeys } from '#server/platform/vault/keys.ts'
import { type FillOptions, fill } from './fill.ts'

interface OwnDatabaseOptions extends Omit<FillOptions, 'pool' | 'keys' | 'passwordHash'> {
  /** Of all generated sellers. */
  readonly password: string
  /** Called if the first administrator gets a generated password. */
  readonly onAdministrator?: (username: string, password: string) => void
}

/** Fills the configured database. Creates it if there is none, and refuses one that it did not create. */
export async function fillOwnDatabase(
  config: Config,
  { password, onAdministrator, ...options }: OwnDatabaseOptions,
): Promise<void> {
  const { databaseUrl, dataDir, adminUsername: username, adminPassword } = config
  const foundKeys = await findKeys(config)
  const { connection, stop } =
    databaseUrl || hasEmbedded(dataDir)
      ? await openDatabase(config)
      : await startEmbedded({ dataDir, log: () => undefined })
  const pool = createPool({ connection, max: 4, statementTimeout: 0, onError: () => undefined })
  try {
    const [db, passwords] = [createDatabase(pool), new Passwords()]
    await migrateOwn(db)
    const keys = foundKeys ?? (await makeFirstKeys(db, config))
    await rememberKeys(db, keys)
    const first = { username, password: adminPassword }
    await createFirstAdministrator({ db, passwords }, first, ({ username, generatedPassword }) => {
      if (generatedPassword) onAdministrator?.(username, generatedPassword)
    })
    await fill({ pool, keys, passwordHash: await passwords.hash(password), ...options })
  } finally {
    await pool.end()
    await stop?.()
  }
}

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
