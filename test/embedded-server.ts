import { startEmbedded } from '#server/platform/database/embedded.ts'

/**
 * A server that tests start as a process of its own, to kill it or to run it as another user. Takes the options as
 * JSON; writes one line of JSON once it serves or has failed, and serves until it is told to end.
 */
const say = (word: object): void => void process.stdout.write(`${JSON.stringify(word)}\n`)

try {
  const server = await startEmbedded({ ...JSON.parse(process.argv[2] ?? '{}'), log: () => undefined })
  const stop = (): void => void server.stop().then(() => process.exit(0))
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  say({ pid: server.pid(), url: server.url })
} catch (error) {
  say({ error: (error as Error).message })
  process.exitCode = 1
}
