import { startEmbedded } from '#server/platform/database/embedded.ts'
import { ServerProcess } from '#test/server-process.ts'
import { cpuOfFamily } from './measure/cpu.ts'

/** Until the server is ready, in milliseconds; and what its processes have worked by then. */
export interface Start {
  readonly ms: number
  readonly cpuMs: number
}

/** Starts the product. */
export async function startServer(settings: Record<string, string>) {
  const from = performance.now()
  const server = ServerProcess.start(settings)
  const url = await server.ready()
  return { server, url, start: { ms: performance.now() - from, cpuMs: cpuOfFamily(server.pid) } }
}

/** Product and PostgreSQL alone in turns. */
export async function startAndEnd(settings: { DATA_DIR: string }, times: number) {
  const [starts, postgresStarts]: [Start[], number[]] = [[], []]
  for (let turn = 0; turn < times; turn++) {
    const { server, start } = await startServer(settings)
    await server.end()
    starts.push(start)
    postgresStarts.push(await startPostgres(settings.DATA_DIR))
  }
  return { starts, postgresStarts }
}

/** PostgreSQL by itself on the same folder, until it takes connections. */
async function startPostgres(dataDir: string): Promise<number> {
  const from = performance.now()
  const { stop } = await startEmbedded({ dataDir, log: () => undefined })
  const took = performance.now() - from
  await stop()
  return took
}
