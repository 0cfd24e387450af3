import type pg from 'pg'
import { Passwords } from '#server/accounts/passwords.ts'
import { administratorsUsage, runAdministratorsCommand } from '#server/administrators/command.ts'
import { auditUsage, runAuditCommand } from '#server/audit/command.ts'
import { BackupError } from '#server/backup/archive.ts'
import { backUp } from '#server/backup/backup.ts'
import { restore } from '#server/backup/restore.ts'
import { type Config, readConfig } from '#server/config.ts'
import { isUnknownToDatabase } from '#server/database/errors.ts'
import { migrate } from '#server/database/migrate.ts'
import { createDatabase, createPool } from '#server/database/pool.ts'
import { DatabaseStartError } from '#server/database/start-error.ts'
import { addressOf } from '#server/http/listening.ts'
import { lastWords } from '#server/last-words.ts'
import { openDatabase, openEmbedded } from '#server/open-database.ts'
import { UsageError } from '#server/operator-error.ts'
import { openStorage } from '#server/photos/storage.ts'
import { keysUsage, runKeysCommand } from '#server/vault/command.ts'
import { keyFileOf, keySourceOf } from '#server/vault/keys.ts'

/** The program behind `npm run admin`: what the operator does, beside a server or without. */
const usage = [
  ...administratorsUsage,
  ...auditUsage,
  'npm run admin -- backup FILE              database and photos into FILE, the keys into FILE.keys',
  'npm run admin -- restore FILE             a backup into an empty DATA_DIR',
  ...keysUsage,
]

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function main([word = 'help', ...rest]: readonly string[]): Promise<void> {
  if (['help', '--help', '-h'].includes(word)) return say(usage.join('\n'))
  const config = readConfig(process.env)
  if (word === 'backup' || word === 'restore') return backupCommand(config, word, rest)
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
  if (word === 'audit') return runAuditCommand(db, rest, say)
  const url = config.publicUrl ?? addressOf(config.host, config.port)
  await runAdministratorsCommand({ db, passwords: new Passwords(), url }, [word, ...rest], say)
  return true
}

async function backupCommand(
  config: Config,
  word: 'backup' | 'restore',
  [file, ...rest]: readonly string[],
): Promise<void> {
  if (!file || rest.length > 0)
    throw new UsageError(`${word} takes one FILE, as in: npm run admin -- ${word} ./backup`)
  const { dataDir, databaseUrl, storage, secretKeys } = config
  if (databaseUrl)
    throw new BackupError(
      'DATABASE_URL is set: back that database up by its own tools, pg_dump and pg_restore',
    )
  if (word === 'restore') return restore({ file, dataDir, storage, secretKeys, say })
  const { connection, stop } = await openEmbedded(dataDir)
  try {
    const keyFile = keyFileOf(config)
    await backUp({ file, keyFile, connection, photos: await openStorage(storage), say })
  } finally {
    await stop?.()
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${lastWords(error)}\n`)
  process.exitCode = 1
}
