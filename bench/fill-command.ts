import { Passwords } from '#server/features/people/credentials/passwords.ts'
import { createFirstAdministrator, generatePassword } from '#server/features/people/staff/administrators.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { ignoreClosedOutput, reportCrash } from '#server/platform/crash-handler.ts'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { hasEmbedded, openDatabase } from '#server/platform/database/open-database.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { makeFirstKeys, rememberKeys } from '#server/platform/vault/key-check.ts'
import { findKeys } from '#server/platform/vault/keys.ts'
import { type FillOptions, fill } from './data/fill.ts'
import { migrateOwn } from './data/own-database.ts'
import { readOptions, wholeNumber } from './options.ts'

/** `npm run data`: fills the configured database with generated data. */

const usage = `npm run data -- --submissions 100000 [--users N] [--threads N] [--seed N]

Creates a database in DATA_DIR or in the empty one of DATABASE_URL, and fills it with sellers, submissions in every
status, their histories and transactions, and support threads, spread over two years. The same seed produces the same
data. Adds to a database that it has created, whether or not a server is running, and refuses any other. The sellers of
a run sign in with the password printed at its end.`

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
  const { connection, stop } = await openOrCreate(config)
  const pool = createPool({ connection, max: 4, statementTimeout: 0, onError: () => undefined })
  try {
    const [db, passwords] = [createDatabase(pool), new Passwords()]
    await migrateOwn(db)
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
    const password = generatePassword()
    await fill({ pool, keys, passwordHash: await passwords.hash(password), ...options, onProgress })
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    say(`Filled in ${seconds} s. The sellers of this run sign in with: ${password}`)
  } finally {
    await pool.end()
    await stop?.()
  }
}

function openOrCreate(config: Config): ReturnType<typeof openDatabase> {
  const { databaseUrl, dataDir } = config
  return databaseUrl || hasEmbedded(dataDir)
    ? openDatabase(config)
    : startEmbedded({ dataDir, log: () => undefined })
}

ignoreClosedOutput()
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
