import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { Passwords } from '#server/features/people/accounts/passwords.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { UsageError } from '#server/platform/config/operator-error.ts'
import { reportCrash } from '#server/platform/crash-handler.ts'
import { isUnknownToDatabase } from '#server/platform/database/errors.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openDatabase, openEmbedded } from '#server/platform/database/open-database.ts'
import { createDatabase, createPool, type Database } from '#server/platform/database/pool.ts'
import { DatabaseStartError } from '#server/platform/database/start-error.ts'
import { addressOf } from '#server/platform/listening.ts'
import { openStorage, storeName } from '#server/platform/photos/open-storage.ts'
import { keyFileOf, keySourceOf, loadKeys } from '#server/platform/vault/keys.ts'
import { verifyKeys } from '#server/platform/vault/remembered-keys.ts'
import { administratorsUsage, runAdministratorsCommand } from './administrators.ts'
import { auditUsage, runAuditCommand } from './audit.ts'
import { BackupError } from './backup/archive.ts'
import { backUp } from './backup/backup.ts'
import { restore } from './backup/restore.ts'
import { bindStore, requireOwnStore } from './installation.ts'
import { jobsUsage, runJobsCommand } from './jobs.ts'
import { keysUsage, runKeysCommand } from './keys.ts'
import { releaseUsage, runReleaseCommand } from './release.ts'

/** The program behind `npm run admin`: what the operator does, beside a server or without. */
const usage = [
  ...administratorsUsage,
  ...auditUsage,
  ...jobsUsage,
  'npm run admin -- backup FILE              database and photos into FILE, the keys into FILE.keys',
  'npm run admin -- restore FILE             a backup into an empty DATA_DIR',
  'npm run admin -- take-over-store          a store that lost its mark, or whose installation is gone',
  ...releaseUsage,
  ...keysUsage,
]

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function main([word = 'help', ...rest]: readonly string[]): Promise<void> {
  if (['help', '--help', '-h'].includes(word)) return say(usage.join('\n'))
  const config = readConfig(process.env)
  if (word === 'backup' || word === 'restore') return archiveCommand(config, word, rest)
  const { connection, stop } = await openDatabase(config)
  const pool = createPool({ connection, max: 3, statementTimeout: 60_000, onError: () => undefined })
  try {
    // Beside a running server its own version of the tables stands.
    if (stop) await migrate(pool)
    if (!(await databaseCommand(pool, config, word, rest))) process.exitCode = 1
  } catch (error) {
    if (!isUnknownToDatabase(error)) throw error
    throw new DatabaseStartError('The database is not that of this version yet: start the server once.')
  } finally {
    await pool.end()
    await stop?.()
  }
}

/** @returns whether all is well */
async function databaseCommand(
  pool: pg.Pool,
  config: Config,
  word: string,
  rest: readonly string[],
): Promise<boolean> {
  const db = createDatabase(pool)
  if (word === 'keys') return runKeysCommand({ pool, source: keySourceOf(config), say }, rest)
  if (word === 'release') {
    await runReleaseCommand({ db, eraseAfterDays: config.eraseAfterDays, say }, rest)
    return true
  }
  if (word === 'take-over-store') return takeOverStore(db, config, rest)
  if (word === 'jobs') return runJobsCommand(db, rest, say)
  if (word === 'audit') return runAuditCommand(db, rest, say)
  const url = config.publicUrl ?? addressOf(config.host, config.port)
  await runAdministratorsCommand({ db, passwords: new Passwords(), url }, [word, ...rest], say)
  return true
}

async function takeOverStore(db: Database, { storage }: Config, rest: readonly string[]): Promise<boolean> {
  if (rest.length > 0) throw new UsageError('take-over-store takes nothing more')
  const store = storeName(storage)
  await bindStore(db, { photos: await openStorage(storage), store, takeOver: true })
  say(`The photo store ${store} belongs to this installation now.`)
  return true
}

async function archiveCommand(
  config: Config,
  word: 'backup' | 'restore',
  words: readonly string[],
): Promise<void> {
  const flag = { backup: '--without-lost-photos', restore: '--take-over-store' }[word]
  const [file, ...rest] = words.filter((one) => one !== flag)
  if (!file || file.startsWith('--') || rest.length > 0)
    throw new UsageError(
      `${word} takes one FILE and perhaps ${flag}, as in: npm run admin -- ${word} ./backup`,
    )
  if (config.databaseUrl)
    throw new BackupError(
      'DATABASE_URL is set: back that database up by its own tools, pg_dump and pg_restore',
    )
  const flagged = words.includes(flag)
  if (word === 'restore') return restore({ ...config, file, takeOverStore: flagged, say })
  if (!existsSync(join(config.dataDir, 'postgres')))
    throw new BackupError(
      `There is no database in DATA_DIR ${config.dataDir}: give this command the settings of the server`,
    )
  const keys = await loadKeys(keySourceOf(config))
  const { connection, stop } = await openEmbedded(config.dataDir)
  const pool = createPool({ connection, max: 2, onError: () => undefined })
  try {
    const db = createDatabase(pool)
    await verifyKeys(db, keys)
    const photos = await openStorage(config.storage)
    await requireOwnStore(db, { photos, store: storeName(config.storage) })
    const keyFile = keyFileOf(config)
    await backUp({ file, keyFile, connection, db, photos, withoutLostPhotos: flagged, say })
  } finally {
    await pool.end()
    await stop?.()
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  reportCrash(error)
}
