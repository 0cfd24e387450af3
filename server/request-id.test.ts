import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { jobHandlers } from '#server/job-handlers.ts'
import { createPool } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { JobWorker } from '#server/platform/jobs/worker.ts'
import { createLog } from '#server/platform/log.ts'
import { trace } from '#server/platform/trace.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { Person } from '#test/person.ts'
import { remote } from '#test/remote.ts'
import { signedInStaff } from '#test/signed-in.ts'
import { submit, submitted } from '#test/submissions.ts'
import { WebhookReceiver } from '#test/webhook-receiver.ts'

const lines: Record<string, unknown>[] = []
const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line)) })
let server: TestApp
let seller: Person
let owner: Person
let receiver: WebhookReceiver
let endpointId: string

beforeAll(async () => {
  server = await createTestApp({ log, site: { webhooksAllowPrivate: true } })
  seller = await server.seller()
  // Over the network, where a body arrives in an event of the connection.
  owner = await signedInStaff(new Person(remote(await server.listen())))
  receiver = await WebhookReceiver.start()
  const events = ['submission.created', 'submission.moved']
  endpointId = (await owner.post('/api/admin/webhooks', { url: receiver.url, events })).json.id
})
beforeEach(async () => {
  await server.pool.query('delete from jobs')
  lines.length = 0
  receiver.received.length = 0
})

const requestIds = async () =>
  (await server.pool.query('select request_id from jobs')).rows.map((row) => row.request_id)

/** Tries every job once, as a server that has just started. */
async function work(sendMail: () => Promise<void> = async () => {}): Promise<void> {
  await server.pool.query('update jobs set run_at = now() where done_at is null')
  const handlers = jobHandlers(server.context, { sendMail }, server.push)
  const worker = new JobWorker({ db: server.db, log, handlers })
  worker.start()
  await expect
    .poll(async () => {
      const due = 'select 1 from jobs where done_at is null and failed_at is null and run_at <= now()'
      return (await server.pool.query(due)).rowCount
    })
    .toBe(0)
  await worker.stop()
}

it('is that of the call in every job and its log lines, after a failure too, and whatever id the client sent', async () => {
  const id = await submitted(seller)
  await server.pool.query('delete from jobs')
  lines.length = 0
  const { headers } = await owner.send({
    method: 'PATCH',
    url: `/api/admin/submissions/${id}/status`,
    payload: { status: 'processing' },
    headers: { 'x-request-id': 'forged', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  })
  const reqId = headers['x-request-id']
  expect(await requestIds()).toEqual([reqId, reqId])
  receiver.answer = 503
  await work(() => Promise.reject(new Error('No mail server')))
  receiver.answer = 204
  await work()
  expect(lines.filter(({ reqId: of }) => of !== reqId)).toEqual([])
  expect(lines.map(({ msg, kind }) => `${msg} ${kind ?? ''}`).sort()).toEqual([
    'answered ',
    'job done statusMail',
    'job done webhook',
    'job failed statusMail',
    'job failed webhook',
  ])
  expect(receiver.received.map(({ headers }) => headers['x-request-id'])).toEqual([reqId, reqId])
  const [delivery] = (await owner.get(`/api/admin/webhook-deliveries?endpointId=${endpointId}`)).json
  expect(delivery).toMatchObject({ requestId: reqId, attempts: 2, state: 'delivered' })
})

it('passes from a job to the job that it enqueues', async () => {
  const saleId = randomUUID()
  await submit(seller, { saleId })
  // Both cards share a receipt, which waits for the last one.
  const { headers } = await submit(seller, { saleId })
  await work()
  const { rows } = await server.pool.query(
    "select kind, request_id from jobs where kind in ('saleReceipt', 'saleReceiptMail') order by kind",
  )
  expect(rows).toEqual([
    { kind: 'saleReceipt', request_id: headers['x-request-id'] },
    { kind: 'saleReceiptMail', request_id: headers['x-request-id'] },
  ])
})

it('stays apart for calls at the same time, and the server itself works without one', async () => {
  const cards = await Promise.all(Array.from({ length: 5 }, () => submitted(seller)))
  await server.pool.query('delete from jobs')
  const answers = await Promise.all(
    cards.map((id) => owner.patch(`/api/admin/submissions/${id}/status`, { status: 'processing' })),
  )
  const { rows } = await server.pool.query(
    `select payload->>'giftCardId' as card, request_id from jobs where kind = 'statusMail'`,
  )
  expect(Object.fromEntries(rows.map((row) => [row.card, row.request_id]))).toEqual(
    Object.fromEntries(cards.map((id, n) => [id, answers[n]?.headers['x-request-id']])),
  )
  await server.pool.query('delete from jobs')
  // On the connections that the calls have used.
  const enqueueOne = (key: string) =>
    transaction(server.db, (tx) => enqueue(tx, 'staffInvitationMail', key, { invitationId: randomUUID() }))
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(enqueueOne))
  lines.length = 0
  await work()
  expect(lines).toHaveLength(5)
  expect([...(await requestIds()), ...lines.map(({ reqId }) => reqId ?? null)]).toEqual(Array(10).fill(null))
})

it('is in no line about a connection that a call has opened', async () => {
  const onError = () => log.warn('database connection lost')
  const pool = createPool({ connection: server.url, onError })
  const { rows } = await trace.run({ requestId: randomUUID() }, () =>
    pool.query('select pg_backend_pid() as pid'),
  )
  await server.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines).toEqual([{ level: 'warn', time: expect.any(String), msg: 'database connection lost' }])
  await pool.end()
})
