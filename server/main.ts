import { readConfig } from '#server/config.ts'
import { type Demo, demoLines, readDemo } from '#server/demo.ts'
import { lastWords } from '#server/last-words.ts'
import { createLog } from '#server/log.ts'
import { type Running, run } from '#server/run.ts'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
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

try {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const demo = await readDemo(config.dataDir)
  const starting = run(config, {
    log,
    isDemo: demo !== undefined,
    onLost: (err) => {
      log.fatal({ err }, 'the database is lost')
      process.exitCode = 1
      void end()
    },
  })
  let ending: Promise<void> | undefined
  // Whoever says stop during the start is heard when it has started: nothing is left half-way.
  const end = (): Promise<void> => {
    ending ??= starting.then(({ stop }) => stop()).catch(() => {})
    return ending
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end)
  announce(await starting, config.productName, demo)
} catch (error) {
  process.stderr.write(`${lastWords(error)}\n`)
  process.exitCode = 1
}
