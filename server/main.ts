import { demoLines, readDemo } from '#server/demo.ts'
import type { FirstAdministrator } from '#server/features/accounts/staff/administrators.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { ignoreClosedOutput, reportCrash } from '#server/platform/crash-handler.ts'
import { createLog } from '#server/platform/log.ts'
import { type Running, start } from '#server/start.ts'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The account is committed right after this, so the write must be synchronous. Standard output is, on Linux. */
function announce({ username, generatedPassword }: FirstAdministrator, url: string): void {
  const lines = [`Administrator: ${username}, sign in at ${url}/admin/login`]
  if (generatedPassword) lines.push(`Password (shown only once): ${generatedPassword}`)
  say(lines.join('\n'))
}

/** Aborts the start if a signal arrives during it. */
const startAborter = new AbortController()
let running: Running | undefined

let isStopping = false

function stop(): void {
  if (!running) startAborter.abort()
  if (!running || isStopping) return
  isStopping = true
  say('Stopping: requests in progress get up to ten seconds …')
  running.stop().then(() => say('Stopped.'), reportCrash)
}

ignoreClosedOutput()
try {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const demo = await readDemo(config.dataDir)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  running = await start(config, {
    log,
    isDemo: demo !== undefined,
    onLost: (err) => {
      log.fatal({ err }, 'the database is lost')
      process.exitCode = 1
      stop()
    },
    announce,
    signal: startAborter.signal,
  })
  // One write, so a reader that waits for the first line gets everything.
  say(
    [`${config.brand.name} is ready: ${running.url}`, ...(demo ? demoLines(demo, running.url) : [])].join(
      '\n',
    ),
  )
} catch (error) {
  if (!startAborter.signal.aborted) reportCrash(error)
}
