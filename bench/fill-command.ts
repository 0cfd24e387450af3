import { Passwords } from '#server/features/people/passwords.ts'
import { createFirstAdministrator } from '#server/features/people/staff/administrators.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { reportCrash } from '#server/platform/crash-handler.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { makeFirstKeys, rememberKeys } from '#server/platform/vault/key-check.ts'
import { findKeys } from '#server/platform/vault/keys.ts'
import { type FillOptions, fill, GENERATED_PASSWORD } from './data/fill.ts'
import { readOptions, wholeNumber } from './options.ts'

/** `npm run data`: fills the configured database with generated data. */

const usage = `npm run data -- --submissions 100000 [--users N] [--threads N] [--seed N]

Fills the database of DATA_DIR (whether or not a server is running) or of DATABASE_URL with sellers, submissions in
every status, their histories and transactions, and support threads, spread over two years. The same seed produces the
same data. All sellers sign in with the password printed at the end.`

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function parseOptions(): Pick<FillOptions, 'submissions' | 'users' | 'threads' | 'seed'> {
  const text = { type: 'string' } as const
  const values = readOptions({ submissions: text, users: text, threads: text, seed: text }, usage)
  const numbers = Object.entries(values).map(([name, value]) => [name, wholeNumber(name, String(value))])
  const { submissions, ...more } = Object.fromEntries(numbers)
  if (!submissions) throw new OperatorError(usage)
  return { submissions, ...more }
}

async function main(): Promise<void> {
  const options = parseOptions()
  const config = readConfig(process.env)
  const foundKeys = await findKeys(config)
  const { connection, stop } = await openDatabase(config)
  const pool = createPool({ connection, max: 4, statementTimeout: 0, onError: () => undefined })
  try {
    await migrate(pool)
    const [db, passwords] = [createDatabase(pool), new Passwords()]
    const keys = foundKeys ?? (await makeFirstKeys(db, config))
    await rememberKeys(db, keys)
    await createFirstAdministrator(
      { db, passwords },
      { username: config.adminUsername, password: config.adminPassword },
      ({ username, generatedPassword }) => {
        if (generatedPassword)
          say(`Administrator: ${username}, password (shown only once): ${generatedPassword}`)
      },
    )
    const startedAt = Date.now()
    await fill({ pool, keys, passwordHash: await passwords.hash(GENERATED_PASSWORD), ...options, onProgress })
    say(
      `Filled in ${Math.round((Date.now() - startedAt) / 1000)} s. Sellers sign in with: ${GENERATED_PASSWORD}`,
    )
  } finally {
    await pool.end()
    await stop?.()
  }
}

let printedAt = 0

/** Prints a line every five seconds. */
function onProgress(what: string, done: number, of: number): void {
  if (done < of && Date.now() < printedAt + 5000) return
  printedAt = Date.now()
  say(`${what}: ${done} of ${of}`)
}

try {
  await main()
} catch (error) {
  reportCrash(error)
}
