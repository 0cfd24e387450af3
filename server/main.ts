import { readConfig } from '#server/config.ts'
import { type Demo, demoLines, readDemo } from '#server/demo.ts'
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

/** In one piece: whoever waits for the first line to read on has all of it. */
function announce({ url, firstAdministrator }: Running, productName: string, demo: Demo | undefined): void {
  const lines = [`${productName} is ready: ${url}`]
  if (demo) lines.push(...demoLines(demo, url))
  if (firstAdministrator) {
    const { username, generatedPassword } = firstAdministrator
    lines.push(`Administrator: ${username}, sign in at ${url}/admin/login`)
    if (generatedPassword) lines.push(`Password (shown this once): ${generatedPassword}`)
  }
  say(lines.join('\n'))
}

/** Heard during the start, it gives up what it waits for; nothing that was begun stays half-way. */
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
    signal: givingUp.signal,
  })
  announce(running, config.productName, demo)
  if (givingUp.signal.aborted) end()
} catch (error) {
  if (!givingUp.signal.aborted) fail(error)
}
