import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { sql } from 'drizzle-orm'
import { statuses } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { countJobs, type JobKind } from '#server/platform/jobs/jobs.ts'
import type { Sockets } from '#server/platform/live/sockets.ts'
import manifest from '../../../package.json' with { type: 'json' }
import type { Traffic } from '../overload.ts'
import type { Observe } from '../trace-requests.ts'

/** In seconds, from an answer out of memory to ten photos over a slow connection. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export interface Measured {
  readonly context: Pick<Context, 'db' | 'decoder'>
  readonly traffic: Traffic
  readonly sockets: Sockets
}

/**
 * The Prometheus metrics of this process. Labels are route patterns, verbs, statuses and kinds of jobs: few, known values,
 * without personal data.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = new Counter({
    name: 'unspent_http_requests_total',
    help: 'Responses sent',
    labelNames: ['method', 'route', 'status'],
    registers: [this.#registry],
  })
  readonly #seconds = new Histogram({
    name: 'unspent_http_request_seconds',
    help: 'Time from a request to the last byte of its response',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [this.#registry],
  })
  readonly #failures = new Counter({
    name: 'unspent_job_failures_total',
    help: 'Failed job attempts, by whether the job is retried or given up',
    labelNames: ['kind', 'outcome'],
    registers: [this.#registry],
  })

  readonly contentType = this.#registry.contentType

  constructor(measured: Measured) {
    collectDefaultMetrics({ register: this.#registry })
    this.#addProcessGauges(measured)
    this.#addDatabaseGauges(measured.context.db)
  }

  readonly observe: Observe = ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    const labels = { method, route: routeOptions.url ?? 'none' }
    this.#requests.inc({ ...labels, status: statusCode })
    this.#seconds.observe(labels, elapsedTime / 1000)
  }

  readonly jobFailed = (kind: JobKind, givenUp: boolean): void => {
    this.#failures.inc({ kind, outcome: givenUp ? 'given_up' : 'tried_again' })
  }

  /** Every metric in the text format of Prometheus. */
  read(): Promise<string> {
    return this.#registry.metrics()
  }

  #addProcessGauges({ context: { db, decoder }, traffic, sockets }: Measured): void {
    const pool = db.$client
    this.#gauge('info', 'The running version', () => ({ [manifest.version]: 1 }), 'version')
    this.#gauge('http_requests_in_flight', 'Calls below /api/ without a response yet', () => traffic.atOnce)
    this.#gauge('live_sockets', 'Open sockets of the live channel', () => sockets.size)
    const connections = () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      // Queries, not connections.
      waiting: pool.waitingCount,
    })
    this.#gauge('database_pool', 'Database connections, and queries waiting for one', connections, 'state')
    const photos = () => ({ decoding: decoder.load.running, waiting: decoder.load.waiting })
    this.#gauge('photos', 'Photos being decoded, and waiting to be', photos, 'state')
    new Counter({
      name: 'unspent_http_requests_shed_total',
      help: 'Calls rejected because the server was overloaded',
      registers: [this.#registry],
      collect() {
        this.reset()
        this.inc(traffic.turnedAway)
      },
    })
  }

  /** These are the same on every server. One set of queries fills all of them. */
  #addDatabaseGauges(db: Context['db']): void {
    let reading: ReturnType<typeof readQueues> | undefined
    const read = () => {
      reading ??= readQueues(db).finally(() => {
        reading = undefined
      })
      return reading
    }
    const unknown = Number.NaN
    this.#gauge('database_up', 'Whether the database answers', async () => ((await read()) ? 1 : 0))
    const waiting = async () => (await read())?.waiting ?? unknown
    this.#gauge('jobs_waiting', 'Unfinished emails and other jobs', waiting)
    const lateSeconds = async () => (await read())?.lateSeconds ?? unknown
    this.#gauge('jobs_late_seconds', 'How long the oldest job is overdue', lateSeconds)
    const givenUp = async () => (await read())?.givenUp ?? unknown
    this.#gauge('jobs_given_up', 'Emails that failed for good', givenUp)
    const oldest = async () => (await read())?.oldestPendingSeconds ?? unknown
    this.#gauge('oldest_pending_seconds', 'Age of the oldest submission awaiting review, or 0', oldest)
    const byStatus = async () => {
      const found = await read()
      const countOf = (status: string) => (found ? (found.byStatus[status] ?? 0) : unknown)
      return Object.fromEntries(statuses.map((status) => [status, countOf(status)]))
    }
    this.#gauge('submissions', 'Submissions by status, without cleared ones', byStatus, 'status')
  }

  /** @param read returns the value, or values by `label`, whenever the metrics are read */
  #gauge(name: string, help: string, read: () => GaugeValue | Promise<GaugeValue>, label?: string): void {
    new Gauge({
      name: `unspent_${name}`,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [this.#registry],
      async collect() {
        const value = await read()
        if (label === undefined || typeof value === 'number') this.set(Number(value))
        else for (const [key, one] of Object.entries(value)) this.set({ [label]: key }, one)
      },
    })
  }
}

type GaugeValue = number | Readonly<Record<string, number>>

/** A database that hangs must not hold up the other metrics. */
const DATABASE_MS = 3_000

/** Undefined if the database does not answer in time. */
async function readQueues(db: Context['db']) {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), DATABASE_MS)
  try {
    const found = await Promise.race([Promise.all([countJobs(db), readSubmissions(db)]), timeout.promise])
    return found && { ...found[0], ...found[1] }
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
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
