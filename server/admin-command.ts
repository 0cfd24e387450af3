import { Passwords } from '#server/accounts/passwords.ts'
import { asksForHelp, runCommand, UsageError, usage } from '#server/administrators/command.ts'
import { BackupError } from '#server/backup/archive.ts'
import { backUp } from '#server/backup/backup.ts'
import { restore } from '#server/backup/restore.ts'
import { type Config, readConfig } from '#server/config.ts'
import { databaseError } from '#server/database/errors.ts'
import { migrate } from '#server/database/migrate.ts'
import { createDatabase, createPool } from '#server/database/pool.ts'
import { DatabaseStartError } from '#server/database/start-error.ts'
import { lastWords } from '#server/last-words.ts'
import { openDatabase, openEmbedded } from '#server/open-database.ts'
import { openStorage } from '#server/photos/storage.ts'
import { runKeysCommand } from '#server/vault/command.ts'
import { keyFileOf } from '#server/vault/keys.ts'

/** The program behind `npm run admin`: what the operator does about administrators, beside a server or without. */

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(args: readonly string[]): Promise<void> {
  const [word, ...rest] = args
  const config = readConfig(process.env)
  if (word === 'backup' || word === 'restore') return backupCommand(config, args)
  const { connection, stop } = await openDatabase(config)
  const pool = createPool({ connection, max: 3, statementTimeout: 60_000, onError: () => undefined })
  try {
    // Beside a running server its own version of the tables stands.
    if (stop) await migrate(pool)
    const well =
      word === 'keys'
        ? await runKeysCommand({ pool, source: keySourceOf(config), say }, rest)
        : await runCommand({ db: createDatabase(pool), passwords: new Passwords() }, args, say)
    if (well === undefined)
      throw new UsageError(
        'keys takes list, rotate or drop KEY. `npm run admin -- help` shows what there is.',
      )
    if (!well) process.exitCode = 1
  } catch (error) {
    // Undefined table or column.
    if (!/^42(P01|703)$/.test(databaseError(error)?.code ?? '')) throw error
    throw new DatabaseStartError('The database is not that of this version yet: start the server once.')
  } finally {
    await pool.end()
    await stop?.()
  }
}

function keySourceOf({ dataDir, secretKeys, databaseUrl }: Config) {
  return { dataDir, secretKeys, databaseIsExternal: databaseUrl !== undefined }
}

async function backupCommand(config: Config, [word, file, ...rest]: readonly string[]): Promise<void> {
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
  const args = process.argv.slice(2)
  if (asksForHelp(args)) say(usage)
  else await main(args)
} catch (error) {
  process.stderr.write(`${lastWords(error)}\n`)
  process.exitCode = 1
}
