import { startEmbedded } from '#server/platform/database/embedded.ts'

/**
 * An embedded PostgreSQL in a separate process, which tests can kill or run as another user. Takes its options as JSON, and
 * writes one line of JSON when it has started or failed. Runs until SIGTERM.
 */
const report = (result: object): void => void process.stdout.write(`${JSON.stringify(result)}\n`)

try {
  const server = await startEmbedded({ ...JSON.parse(process.argv[2] ?? '{}'), log: () => undefined })
  const stop = (): void => void server.stop().then(() => process.exit(0))
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  report({ pid: server.pid(), url: server.url })
} catch (error) {
  report({ error: (error as Error).message })
  process.exitCode = 1
}
