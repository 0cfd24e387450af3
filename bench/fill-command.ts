import { generatePassword } from '#server/features/accounts/staff/administrators.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { ignoreClosedOutput, reportCrash } from '#server/platform/crash-handler.ts'
import type { FillOptions } from './data/fill.ts'
import { fillOwnDatabase } from './data/own-database.ts'
import { say } from './findings.ts'
import { readOptions, wholeNumber } from './options.ts'

/** `npm run data`: fills the configured database with generated data. */

const usage = `npm run data -- --submissions 100000 [--users N] [--threads N] [--seed N]

Creates a database in DATA_DIR or in the empty one of DATABASE_URL, and fills it with sellers, submissions in every
status, their histories, payouts, stock and ledger, and support threads, spread over two years. The same seed produces
the same data. Adds to a database that it has created, whether or not a server is running, and refuses any other. The sellers of
a run sign in with the password printed at its end.`

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
  const startedAt = Date.now()
  const password = generatePassword()
  await fillOwnDatabase(readConfig(process.env), {
    ...options,
    password,
    onProgress,
    onAdministrator: (username, generated) =>
      say(`Administrator: ${username}, password (shown only once): ${generated}`),
  })
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  say(`Filled in ${seconds} s. The sellers of this run sign in with: ${password}`)
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
