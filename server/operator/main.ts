import { Command } from 'commander'
import { Passwords } from '#server/features/accounts/credentials/passwords.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { ignoreClosedOutput, reportCrash } from '#server/platform/crash-handler.ts'
import { isUnknownToDatabase } from '#server/platform/database/errors.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openDatabase, requireTables } from '#server/platform/database/open-database.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { addressOf } from '#server/platform/listening.ts'
import { buildProgram } from './program.ts'
import { outputOf, type Run } from './tools.ts'

// The program behind `./unspent admin`.

/** Not 1, which says that a check found something wrong. */
const FAILED = 2

const program: Command = new Command()
const output = outputOf(() => program.opts().json === true)

const runOnDatabase: Run = async (action) => {
  const config = readConfig(process.env)
  const { connection, stop } = await openDatabase(config)
  const pool = createPool({
    connection,
    timeZone: config.timeZone,
    max: 3,
    statementTimeout: 60_000,
    onError: () => undefined,
  })
  try {
    await requireTables(pool, config)
    // A running server has migrated the database to its own version.
    if (stop) await migrate(pool)
    const succeeded = await action({
      db: createDatabase(pool),
      passwords: new Passwords(),
      url: config.publicUrl ?? addressOf(config.host, config.port),
      source: config,
      storage: config.storage,
      eraseAfterDays: config.eraseAfterDays,
      brand: config.brand,
      ...output,
    })
    if (succeeded === false) process.exitCode = 1
  } catch (error) {
    if (!isUnknownToDatabase(error)) throw error
    throw new OperatorError('The database was not migrated to this version yet. Start the server once.')
  } finally {
    await pool.end()
    await stop?.()
  }
}

ignoreClosedOutput()
const words = process.argv.slice(2)
try {
  // Its own message is already printed. Help ends without an error.
  program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : FAILED))
  await buildProgram(runOnDatabase, program, output).parseAsync(words.length > 0 ? words : ['help'], {
    from: 'user',
  })
  output.end()
} catch (error) {
  reportCrash(error)
  process.exitCode = FAILED
}
