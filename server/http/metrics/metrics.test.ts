import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildApp } from '#server/app.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { jobs } from '#server/platform/database/schema.ts'
import { Sockets } from '#server/platform/live/sockets.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { Person } from '#test/person.ts'
import { submitted } from '#test/submissions.ts'
import { noLimits } from '../limits/limits.ts'
import { listenForMetrics, Metrics } from './metrics.ts'

const traffic = { atOnce: 0, turnedAway: 0 }
const sockets = new Sockets()
const backups = { newestAt: new Date(Date.now() - 60_000) }
let server: TestApp
let metrics: Metrics
let listening: FastifyInstance
let visitor: Person

beforeAll(async () => {
  server = await createTestApp()
  const { context } = server
  const cash = async () => ({ balance: 12_345, balanceAt: new Date(), toSend: 20_000 })
  metrics = new Metrics({ context, traffic, sockets, backups, cash })
  listening = await listenForMetrics(metrics, { host: '127.0.0.1', port: 0 })
  const { observe } = metrics
  const app = await buildApp({ context, limits: noLimits, sockets, trustProxy: false, traffic, observe })
  visitor = new Person(app)
  afterAll(() => app.close())
})
afterAll(async () => {
  await listening.close()
  sockets.stop()
})

async function read(): Promise<string[]> {
  const answer = await fetch(`${listening.listeningOrigin}/metrics`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('version=0.0.4')
  return (await answer.text()).split('\n')
}

it('counts responses by route, verb and status, without anything from the URL', async () => {
  await visitor.get('/api/brands')
  await visitor.get('/api/brands?card=6006493012345678')
  await visitor.get('/api/user/images/secret.jpg')
  await visitor.get('/api/nothing/6006493012345678')
  const lines = await read()
  expect(lines).toContain('unspent_http_requests_total{method="GET",route="/api/brands",status="200"} 2')
  expect(lines).toContain(
    'unspent_http_requests_total{method="GET",route="/api/user/images/*",status="401"} 1',
  )
  expect(lines).toContain('unspent_http_requests_total{method="GET",route="none",status="404"} 1')
  expect(lines).toContain('unspent_http_request_seconds_count{method="GET",route="/api/brands"} 2')
  expect(lines).toContain('unspent_http_requests_in_flight 0')
  // Values may be any number.
  const names = lines.map((line) => line.replace(/ [^ ]*$/, ''))
  expect(names.join('\n')).not.toMatch(/6006|secret/)
})

it('reports queues, rejected calls and failed jobs', async () => {
  const overdue = new Date(Date.now() - 90_000)
  const job = { kind: 'statusMail', payload: {}, runAt: overdue }
  await server.db.insert(jobs).values([
    { ...job, id: randomUUID(), key: 'a' },
    { ...job, id: randomUUID(), key: 'done', doneAt: overdue },
    { ...job, id: randomUUID(), key: 'given up', failedAt: overdue },
  ])
  const seller = await server.seller()
  await submitted(seller)
  const second = await submitted(seller)
  await (await server.staff()).patch(`/api/admin/submissions/${second}/status`, { status: 'processing' })
  await server.pool.query(
    "update gift_cards set created_at = now() - interval '1 hour' where status = 'pending'",
  )
  await server.pool.query(
    `insert into payout_batches (id, file_kind, payment_types, count, total, created_by, created_at)
      select gen_random_uuid(), 'paypal', '{paypal}', 0, 0, id, now() - interval '1 day' from administrators limit 1`,
  )
  metrics.jobFailed('statusMail', false)
  traffic.turnedAway = 7
  const lines = await read()
  expect(lines).toContain('unspent_database_up 1')
  // One per submission and move, besides this test's own.
  expect(lines.some((line) => /^unspent_jobs_waiting [1-9]/.test(line))).toBe(true)
  expect(lines).toContain('unspent_jobs_given_up 1')
  expect(lines).toContain('unspent_submissions{status="pending"} 1')
  expect(lines).toContain('unspent_submissions{status="processing"} 1')
  expect(lines).toContain('unspent_submissions{status="completed"} 0')
  expect(lines).toContain('unspent_unfinished_batches{state="open"} 1')
  expect(lines).toContain('unspent_unfinished_batches{state="exported"} 0')
  expect(lines).toContain('unspent_payouts_due 1')
  expect(lines).toContain('unspent_provider_balance_dollars 123.45')
  expect(lines).toContain('unspent_provider_to_send_dollars 200')
  expect(lines.find((line) => line.startsWith('unspent_backup_age_seconds '))).toMatch(/ 6\d\.?/)
  const age = lines.find((line) => line.startsWith('unspent_oldest_unfinished_batch_seconds{state="open"} '))
  expect(Number(age?.split(' ')[1])).toBeGreaterThanOrEqual(86_400)
  const pending = lines.find((line) => line.startsWith('unspent_oldest_pending_seconds '))
  expect(Number(pending?.split(' ')[1])).toBeGreaterThanOrEqual(3600)
  expect(lines).toContain('unspent_job_failures_total{kind="statusMail",outcome="tried_again"} 1')
  expect(lines).toContain('unspent_http_requests_shed_total 7')
  expect(lines).toContain('unspent_photos{state="decoding"} 0')
  const late = lines.find((line) => line.startsWith('unspent_jobs_late_seconds '))
  expect(Number(late?.split(' ')[1])).toBeGreaterThanOrEqual(90)
  expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds '))).toBe(true)
  expect(lines.some((line) => line.startsWith('process_resident_memory_bytes '))).toBe(true)
})

it('reports that the database is down, and all other metrics', async () => {
  const pool = createPool({ connection: 'postgres://nobody@127.0.0.1:1/nothing', onError: () => {} })
  const { decoder } = server.context
  const offline = new Metrics({
    context: { db: createDatabase(pool), decoder },
    traffic,
    sockets,
    backups: { newestAt: undefined },
  })
  const lines = (await offline.read()).split('\n')
  expect(lines).toContain('unspent_database_up 0')
  expect(lines).toContain('unspent_jobs_waiting Nan')
  expect(lines).toContain('unspent_submissions{status="pending"} Nan')
  expect(lines).toContain('unspent_unfinished_batches{state="open"} Nan')
  expect(lines).toContain('unspent_live_sockets 0')
  await pool.end()
})

it('is served at its own address only', async () => {
  const origin = listening.listeningOrigin
  expect((await fetch(`${origin}/api/brands`)).status).toBe(404)
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(405)
  expect((await visitor.get('/metrics')).status).toBe(404)
})

it.each(['prometheus-rules.yaml', 'grafana-dashboard.json'])(
  'has every metric of deploy/%s',
  async (file) => {
    metrics.jobFailed('statusMail', false)
    const known = new Set((await read()).map((line) => /^[a-z_]+/.exec(line)?.[0]))
    const text = await readFile(join(import.meta.dirname, '../../../deploy', file), 'utf8')
    const used = new Set(text.match(/\b(unspent|process|nodejs)_[a-z_]+/g))
    expect(used.size).toBeGreaterThan(5)
    expect([...used].filter((name) => !known.has(name))).toEqual([])
  },
)
