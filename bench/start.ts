import { startEmbedded } from '#server/platform/database/embedded.ts'
import { ServerProcess } from '#test/server-process.ts'
import { type Finding, ms } from './findings.ts'
import { cpuOfFamily } from './measure/cpu.ts'

/** What starting the server on an existing folder took. */
export interface Starts {
  readonly starts: readonly Start[]
  /** Milliseconds of PostgreSQL alone on the same folder. */
  readonly postgresStarts: readonly number[]
  /** Memory of the server after its start, before any request, in MB. */
  readonly atRestMb: number
}

/** Time until the server is ready, in milliseconds, and the CPU time of its processes until then. */
export interface Start {
  readonly ms: number
  readonly cpuMs: number
}

/** How long the quickest start took, and PostgreSQL's part of it. */
export function startFindings({ starts, postgresStarts, atRestMb }: Starts): Finding[] {
  const quickest = starts.reduce((least, start) => (start.ms < least.ms ? start : least))
  const postgres = Math.min(...postgresStarts)
  return [
    {
      what: 'start on an existing folder, until ready',
      measured: `${ms(quickest.ms)} (${starts.map((start) => start.ms.toFixed(0)).join(', ')}); ${ms(quickest.cpuMs)} of CPU`,
      goal: '≤ 1500 ms',
      reached: quickest.ms <= 1500,
    },
    {
      what: 'of it, embedded PostgreSQL',
      measured: `${ms(postgres)} (${postgresStarts.map((start) => start.toFixed(0)).join(', ')})`,
      goal: '≤ 500 ms',
      reached: postgres <= 500,
    },
    {
      what: 'memory of the server at rest',
      measured: `${atRestMb.toFixed(0)} MB`,
      goal: '≤ 130 MB',
      reached: atRestMb <= 130,
    },
  ]
}

export async function startServer(settings: Record<string, string>) {
  const from = performance.now()
  const server = ServerProcess.start(settings)
  const url = await server.ready()
  return { server, url, start: { ms: performance.now() - from, cpuMs: cpuOfFamily(server.pid) } }
}

/** Starts and stops the server and PostgreSQL alone, in turns. */
export async function measureStarts(settings: { DATA_DIR: string }, times: number) {
  const [starts, postgresStarts]: [Start[], number[]] = [[], []]
  for (let turn = 0; turn < times; turn++) {
    const { server, start } = await startServer(settings)
    await server.end()
    starts.push(start)
    postgresStarts.push(await startPostgres(settings.DATA_DIR))
  }
  return { starts, postgresStarts }
}

/** The time until PostgreSQL alone accepts connections, in milliseconds. */
async function startPostgres(dataDir: string): Promise<number> {
  const from = performance.now()
  const { stop } = await startEmbedded({ dataDir, log: () => undefined })
  const took = performance.now() - from
  await stop()
  return took
}
