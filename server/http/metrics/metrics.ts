import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { sql } from 'drizzle-orm'
import fastify, { type FastifyInstance } from 'fastify'
import { type BatchState, unfinishedBatchStates } from '#domain/payout.ts'
import { statuses } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { countJobs, type JobKind } from '#server/platform/jobs/jobs.ts'
import { explainListenError } from '#server/platform/listening.ts'
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
  /** When the newest scheduled backup was made. */
  readonly backups: { readonly newestAt: Date | undefined }
  /** The money of the payout provider, in cents. Undefined without one. */
  readonly cash?: () => Promise<Cash>
}

interface Cash {
  readonly balance: number | null
  readonly balanceAt: Date | null
  readonly toSend: number
}

/**
 * The Prometheus metrics of this process. Labels are route patterns, verbs, statuses and kinds of jobs: few, known values,
 * without personal data.
 */
export class Metrics {
  readonly #measured: Measured
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
    this.#measured = measured
    collectDefaultMetrics({ register: this.#registry })
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
  async read(): Promise<string> {
    const current = await readCurrent(this.#measured)
    return `${await this.#registry.metrics()}${await current.metrics()}`
  }
}

/**
 * Serves /metrics at a separate address, which only the operator can reach.
 *
 * @throws {OperatorError}
 */
export async function listenForMetrics(
  metrics: Metrics,
  address: { host: string; port: number },
): Promise<FastifyInstance> {
  const app = fastify({ forceCloseConnections: true })
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send('Cannot read the metrics\n'))
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('The metrics are at /metrics\n'))
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-content-type-options', 'nosniff'))
  app.all('/metrics', async ({ method }, reply) => {
    if (method !== 'GET') return reply.code(405).send('Use GET\n')
    return reply.type(metrics.contentType).send(await metrics.read())
  })
  await explainListenError({ host: 'METRICS_HOST', port: 'METRICS_PORT' }, app.listen(address))
  return app
}

/** Values that are measured when somebody asks. Those of the database are the same on every server. */
async function readCurrent({ context, traffic, sockets, backups, ...more }: Measured): Promise<Registry> {
  const { db, decoder } = context
  const pool = db.$client
  const registry = new Registry()
  function gauge(name: string, help: string, value: number | Record<string, number>, label = ''): void {
    const labelNames = label ? [label] : []
    const metric = new Gauge({ name: `unspent_${name}`, help, labelNames, registers: [registry] })
    if (typeof value === 'number') metric.set(value)
    else for (const [key, one] of Object.entries(value)) metric.set({ [label]: key }, one)
  }

  gauge('info', 'The running version', { [manifest.version]: 1 }, 'version')
  gauge('http_requests_in_flight', 'Calls below /api/ without a response yet', traffic.atOnce)
  gauge('live_sockets', 'Open sockets of the live channel', sockets.size)
  const connections = {
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    // Queries, not connections.
    waiting: pool.waitingCount,
  }
  gauge('database_pool', 'Database connections, and queries waiting for one', connections, 'state')
  const photos = { decoding: decoder.load.running, waiting: decoder.load.waiting }
  gauge('photos', 'Photos being decoded, and waiting to be', photos, 'state')
  const shed = 'Calls rejected because the server was overloaded'
  new Counter({ name: 'unspent_http_requests_shed_total', help: shed, registers: [registry] }).inc(
    traffic.turnedAway,
  )

  const unknown = Number.NaN
  const backupAge = backups.newestAt ? (Date.now() - backups.newestAt.getTime()) / 1000 : unknown
  gauge('backup_age_seconds', 'Age of the newest scheduled backup', backupAge)

  const [found, cash] = await Promise.all([readDatabase(db), more.cash?.().catch(() => undefined)])
  gauge('database_up', 'Whether the database answers', found ? 1 : 0)
  gauge('jobs_waiting', 'Unfinished emails and other jobs', found?.waiting ?? unknown)
  gauge('jobs_late_seconds', 'How long the oldest job is overdue', found?.lateSeconds ?? unknown)
  gauge('jobs_given_up', 'Emails that failed for good', found?.givenUp ?? unknown)
  const oldest = found?.oldestPendingSeconds ?? unknown
  gauge('oldest_pending_seconds', 'Age of the oldest submission awaiting review, or 0', oldest)
  const countOf = (status: string) => (found ? (found.byStatus[status] ?? 0) : unknown)
  const byStatus = Object.fromEntries(statuses.map((status) => [status, countOf(status)]))
  gauge('submissions', 'Submissions by status, without cleared ones', byStatus, 'status')
  const batchesBy = (of: (batches: UnfinishedBatches) => number) =>
    Object.fromEntries(
      unfinishedBatchStates.map((state) => {
        const batches = found?.unfinished.find((row) => row.state === state)
        return [state, batches ? of(batches) : found ? 0 : unknown]
      }),
    )
  const counts = batchesBy(({ count }) => count)
  gauge('unfinished_batches', 'Batches of payouts that are not settled, rejected or void', counts, 'state')
  const ages = batchesBy(({ seconds }) => Math.max(0, seconds))
  gauge('oldest_unfinished_batch_seconds', 'Age of the oldest unfinished batch, or 0', ages, 'state')
  gauge('payouts_due', 'Payouts that wait to be sent', found?.payoutsDue ?? unknown)
  const due = found?.oldestDueSeconds ?? unknown
  gauge('oldest_due_payout_seconds', 'How long the oldest payout is due, or 0', due)
  gauge('provider_balance_dollars', 'What the payout provider can pay out', dollarsOf(cash?.balance))
  gauge('provider_to_send_dollars', 'What the payout provider has to send', dollarsOf(cash?.toSend))
  const age = cash?.balanceAt ? (Date.now() - cash.balanceAt.getTime()) / 1000 : unknown
  gauge('provider_balance_age_seconds', 'Age of the balance of the payout provider', age)
  return registry
}

const dollarsOf = (cents: number | null | undefined) => (cents ?? Number.NaN) / 100

/** A database that hangs must not hold up the other metrics. */
const DATABASE_MS = 3_000

/** Undefined if the database does not answer in time. */
async function readDatabase(db: Context['db']) {
  const timeout = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeout.resolve(undefined), DATABASE_MS)
  try {
    const found = await Promise.race([
      Promise.all([countJobs(db), readSubmissions(db), readDuePayouts(db), readBatches(db)]),
      timeout.promise,
    ])
    return found && { ...found[0], ...found[1], ...found[2], unfinished: found[3] }
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

async function readSubmissions(db: Context['db']) {
  const counts = await db.execute<{ status: string; count: number }>(
    sql`select status, count(*)::int as count from gift_cards where cleared_at is null group by status`,
  )
  const oldest = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from now() - created_at)::float8 as seconds from gift_cards
    where status = 'pending' and cleared_at is null order by id limit 1`)
  const byStatus: Readonly<Record<string, number>> = Object.fromEntries(
    counts.rows.map(({ status, count }) => [status, count]),
  )
  return { byStatus, oldestPendingSeconds: Math.max(0, oldest.rows[0]?.seconds ?? 0) }
}

async function readDuePayouts(db: Context['db']) {
  const { rows } = await db.execute<{ count: number; seconds: number | null }>(sql`
    select count(*)::int as count, extract(epoch from now() - min(due_at))::float8 as seconds
    from payouts where state = 'due'`)
  return { payoutsDue: rows[0]?.count ?? 0, oldestDueSeconds: Math.max(0, rows[0]?.seconds ?? 0) }
}

interface UnfinishedBatches extends Record<string, unknown> {
  readonly state: BatchState
  readonly count: number
  /** Of the oldest one. */
  readonly seconds: number
}

async function readBatches(db: Context['db']): Promise<UnfinishedBatches[]> {
  const { rows } = await db.execute<UnfinishedBatches>(sql`
    select state, count(*)::int as count, extract(epoch from now() - min(created_at))::float8 as seconds
    from payout_batches where state in (${sql.raw(unfinishedBatchStates.map((state) => `'${state}'`).join(', '))})
    group by state`)
  return rows
}
