import type { FirstAdministrator } from '#server/administrators/first-administrator.ts'
import { readConfig } from '#server/config.ts'
import { demoLines, readDemo } from '#server/demo.ts'
import { lastWords } from '#server/last-words.ts'
import { createLog } from '#server/log.ts'
import { type Running, run } from '#server/run.ts'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(error: unknown): void {
  process.stderr.write(`${lastWords(error)}\n`)
  process.exitCode = 1
}

/** The account is committed right after. Writing to standard output is synchronous on Linux. */
function announce({ username, generatedPassword }: FirstAdministrator, url: string): void {
  const lines = [`Administrator: ${username}, sign in at ${url}/admin/login`]
  if (generatedPassword) lines.push(`Password (shown this once): ${generatedPassword}`)
  say(lines.join('\n'))
}

/** A signal during the start makes it give up. */
const givingUp = new AbortController()
let running: Running | undefined

function end(): void {
  if (running) running.stop().catch(fail)
  else givingUp.abort()
}

try {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const demo = await readDemo(config.dataDir)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)
  running = await run(config, {
    log,
    isDemo: demo !== undefined,
    onLost: (err) => {
      log.fatal({ err }, 'the database is lost')
      process.exitCode = 1
      end()
    },
    announce,
    signal: givingUp.signal,
  })
  // One write, so a reader that waits for the first line gets everything.
  say(
    [`${config.productName} is ready: ${running.url}`, ...(demo ? demoLines(demo, running.url) : [])].join(
      '\n',
    ),
  )
} catch (error) {
  if (!givingUp.signal.aborted) fail(error)
}
