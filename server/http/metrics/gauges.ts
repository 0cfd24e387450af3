import { Counter, Gauge, type Metric } from '@prometheus-io/client'
import { sql } from 'drizzle-orm'
import { statuses } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { countJobs } from '#server/platform/jobs/jobs.ts'
import type { Sockets } from '#server/platform/live/sockets.ts'
import manifest from '../../../package.json' with { type: 'json' }
import type { Traffic } from '../overload.ts'

/** What is looked at when somebody asks, and costs nothing until then. */
export interface Measured {
  readonly context: Pick<Context, 'db' | 'decoder'>
  readonly traffic: Traffic
  readonly sockets: Sockets
}

/** A database that is stuck must not keep the rest from being told. */
const DATABASE_MS = 3_000

export function gaugesOf({ context, traffic, sockets }: Measured): Metric[] {
  const pool = context.db.$client
  const { decoder } = context
  const connections = {
    busy: () => pool.totalCount - pool.idleCount,
    idle: () => pool.idleCount,
    // Not connections: queries that wait for one.
    waiting: () => pool.waitingCount,
  }
  const photos = { decoding: () => decoder.load.running, waiting: () => decoder.load.waiting }
  return [
    version(),
    gauge(
      'http_requests_in_flight',
      'Calls below /api/ that have arrived and are not answered',
      () => traffic.atOnce,
    ),
    turnedAway(traffic),
    gauge('live_sockets', 'Open sockets of the live channel', () => sockets.size),
    gaugeByState('database_pool', 'Connections to the database, and queries that wait for one', connections),
    gaugeByState('photos', 'Photos being decoded, and waiting for it', photos),
    ...queues(context.db),
  ]
}

function gauge(name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name: `unspent_${name}`,
    help,
    registers: [],
    collect() {
      this.set(read())
    },
  })
}

function gaugeByState(name: string, help: string, states: Readonly<Record<string, () => number>>): Gauge {
  return new Gauge({
    name: `unspent_${name}`,
    help,
    labelNames: ['state'],
    registers: [],
    collect() {
      for (const [state, read] of Object.entries(states)) this.set({ state }, read())
    },
  })
}

function version(): Gauge {
  const info = new Gauge({
    name: 'unspent_info',
    help: 'The version that runs',
    labelNames: ['version'],
    registers: [],
  })
  info.set({ version: manifest.version }, 1)
  return info
}

function turnedAway(traffic: Traffic): Counter {
  return new Counter({
    name: 'unspent_http_requests_shed_total',
    help: 'Calls that were turned away because there was too much to do',
    registers: [],
    collect() {
      this.reset()
      this.inc(traffic.turnedAway)
    },
  })
}

/** The database is asked once for all of them. Each server tells the same. */
function queues(db: Context['db']): Gauge[] {
  let asking: ReturnType<typeof ask> | undefined
  const ask = () =>
    inTime(Promise.all([countJobs(db), readSubmissions(db)]))
      .then(([jobs, submissions]) => ({ ...jobs, ...submissions }))
      .catch(() => undefined)
  const readOnce = () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
  const asked = (name: string, help: string, read: (found: Awaited<ReturnType<typeof ask>>) => number) =>
    new Gauge({
      name: `unspent_${name}`,
      help,
      registers: [],
      async collect() {
        this.set(read(await readOnce()))
      },
    })
  const unknown = Number.NaN
  return [
    asked('database_up', 'Whether the database answered just now', (found) => (found ? 1 : 0)),
    asked('jobs_waiting', 'Mails and other work to be done', (found) => found?.waiting ?? unknown),
    asked('jobs_late_seconds', 'How long the oldest is overdue', (found) => found?.lateSeconds ?? unknown),
    asked(
      'jobs_given_up',
      'Mails that are not tried again by themselves',
      (found) => found?.givenUp ?? unknown,
    ),
    asked(
      'oldest_pending_seconds',
      'Age of the oldest submission that waits for a review; 0: none waits',
      (found) => found?.oldestPendingSeconds ?? unknown,
    ),
    new Gauge({
      name: 'unspent_submissions',
      help: 'Submissions by status, without those that were cleared',
      labelNames: ['status'],
      registers: [],
      async collect() {
        const found = await readOnce()
        for (const status of statuses) this.set({ status }, found ? (found.byStatus[status] ?? 0) : unknown)
      },
    }),
  ]
}

async function readSubmissions(db: Context['db']) {
  const counts = await db.execute<{ status: string; count: number }>(
    sql`select status, sum(count)::int as count from submission_counts group by status`,
  )
  const oldest = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from now() - created_at)::float8 as seconds from gift_cards
    where status = 'pending' and cleared_at is null order by id limit 1`)
  const byStatus: Readonly<Record<string, number>> = Object.fromEntries(
    counts.rows.map(({ status, count }) => [status, count]),
  )
  return { byStatus, oldestPendingSeconds: Math.max(0, oldest.rows[0]?.seconds ?? 0) }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('too late')), DATABASE_MS)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
