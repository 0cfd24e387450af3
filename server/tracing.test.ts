import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jobHandlers } from '#server/job-handlers.ts'
import { bucketAt } from '#server/platform/config/config-values.ts'
import { JobWorker } from '#server/platform/jobs/worker.ts'
import { createLog } from '#server/platform/log.ts'
import { createMailer } from '#server/platform/mail/mailer.ts'
import { BucketStorage } from '#server/platform/photos/bucket-storage.ts'
import { inSpan, startTrace, trace } from '#server/platform/trace.ts'
import { startTracing } from '#server/platform/tracing.ts'
import { afterwards } from '#test/afterwards.ts'
import { createTestApp } from '#test/app.ts'
import { OtlpCollector, type ReceivedSpan } from '#test/otlp-collector.ts'
import { Person } from '#test/person.ts'
import { remote } from '#test/remote.ts'
import { startStore } from '#test/s3-store.ts'
import { newDataDir, ServerProcess } from '#test/server-process.ts'
import { registered, signedInStaff } from '#test/signed-in.ts'
import { submit } from '#test/submissions.ts'
import { WebhookReceiver } from '#test/webhook-receiver.ts'

const settings = { otelServiceName: 'shop', otelSampler: 'parentbased_always_on', otelSamplerArg: 1 } as const
const silent = createLog('silent')
let collector: OtlpCollector
beforeEach(async () => {
  collector = await OtlpCollector.start()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
  process.env.OTEL_EXPORTER_OTLP_HEADERS = 'api-key=collector%20secret'
})
afterEach(() => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  delete process.env.OTEL_EXPORTER_OTLP_HEADERS
})

const attribute = ({ attributes }: ReceivedSpan, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]

describe('a submission and its review', () => {
  it('are traces from the call to the bucket, the jobs and the webhook, without anything secret', async () => {
    const store = await startStore()
    afterwards(store.stop)
    const bucket = bucketAt(store.url)
    if (!bucket) throw new Error('No bucket')
    const server = await createTestApp({
      photos: new BucketStorage(bucket),
      site: { webhooksAllowPrivate: true },
    })
    const site = remote(await server.listen())
    const seller = await registered(new Person(site))
    const owner = await signedInStaff(new Person(site))
    const receiver = await WebhookReceiver.start()
    const events = ['submission.moved']
    const { secret } = (
      await owner.post('/api/admin/webhooks', { url: `${receiver.url}?key=hook-key`, events })
    ).json
    await server.pool.query('delete from jobs')

    const stop = startTracing(settings, silent)
    const forged = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const submitted = await submit(seller, { cardNumber: '6006 4930 8642 9753', securityCode: 'PINQ7531' })
    const id = submitted.json.giftCard.id
    const moved = await owner.send({
      method: 'PATCH',
      url: `/api/admin/submissions/${id}/status?q=typed-query`,
      payload: { status: 'rejected', reason: 'Written by staff' },
      headers: { traceparent: forged, 'x-request-id': 'forged-id', baggage: 'key=forged-baggage' },
    })
    await owner.get('/api/nothing/in-the-path')
    await server.pool.query('update jobs set run_at = now()')
    const handlers = jobHandlers(
      server.context,
      createMailer({ dataDir: server.folder }, server.context.site),
      server.push,
    )
    const worker = new JobWorker({ db: server.db, log: silent, handlers })
    worker.start()
    const dueJobs = async () => (await server.pool.query('select from jobs where run_at <= now()')).rowCount
    await expect.poll(async () => [receiver.received.length, await dueJobs()]).toEqual([1, 0])
    await worker.stop()
    await stop()

    const { spans } = collector
    const traceOf = (requestId: unknown) =>
      spans.filter(({ traceId }) => traceId === String(requestId).replaceAll('-', ''))
    const upload = traceOf(submitted.headers['x-request-id']).map(({ name }) => name)
    expect(upload).toEqual(
      expect.arrayContaining([
        'POST /api/gift-cards',
        'decode photo',
        'transaction',
        'S3 PutObject',
        'job statusMail',
        'send mail',
      ]),
    )
    const move = traceOf(moved.headers['x-request-id'])
    const named = (wanted: string) => move.find(({ name }) => name === wanted)
    const call = named('PATCH /api/admin/submissions/:id/status')
    if (!call) throw new Error('No span of the call')
    expect(call.parentSpanId).toBeUndefined()
    expect(attribute(call, 'http.response.status_code')).toBe(200)
    expect(attribute(call, 'unspent.request_id')).toBe(moved.headers['x-request-id'])
    // Each span is inside of one that was sent too.
    const ids = new Set(spans.map(({ spanId }) => spanId))
    expect(spans.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([])
    expect(named('job webhook')?.parentSpanId).toBe(named('transaction')?.spanId)
    expect(receiver.received[0]?.headers.traceparent).toBe(
      `00-${call.traceId}-${named('POST webhook')?.spanId}-01`,
    )
    expect(spans.find(({ name }) => name === 'GET')).toBeDefined()

    const received = collector.bodies.join()
    expect(received).toContain('"shop"')
    expect(collector.headers[0]).toMatchObject({ 'api-key': 'collector secret' })
    const secrets = [
      ...[
        '4930 8642 9753',
        '493086429753',
        'PINQ7531',
        'Sally',
        'sally@example.com',
        seller.email,
        'birthday',
        'Written by staff',
      ],
      ...['typed-query', 'in-the-path', 'forged', 'aaaaaaaa', 'hook-key', secret, receiver.url, 'collector'],
      ...[...seller.cookies.values(), ...owner.cookies.values()].filter(({ length }) => length > 16),
    ]
    expect(secrets.filter((text) => received.includes(text))).toEqual([])
    // Of SQL only names: no placeholder, list or literal.
    expect(spans.filter(({ name }) => /[$,'"=()]/.test(name))).toEqual([])
  })

  it('without sampling send nothing, and their jobs neither', async () => {
    const server = await createTestApp()
    const seller = await server.seller()
    const stop = startTracing(
      { ...settings, otelSampler: 'parentbased_traceidratio', otelSamplerArg: 0 },
      silent,
    )
    await submit(seller)
    const { rows } = await server.pool.query("select traceparent from jobs where kind = 'statusMail'")
    expect(rows[0].traceparent).toMatch(/-00$/)
    const worker = new JobWorker({
      db: server.db,
      log: silent,
      handlers: jobHandlers(server.context, { sendMail: async () => {} }, server.push),
    })
    worker.start()
    await expect
      .poll(async () => (await server.pool.query('select 1 from jobs where done_at is null')).rowCount)
      .toBe(0)
    await worker.stop()
    await stop()
    expect(collector.spans).toEqual([])
  })

  it('report a failure by its code', async () => {
    const stop = startTracing(settings, silent)
    const failing = () =>
      inSpan({ name: 'pay' }, () => Promise.reject(new Error('sally@example.com is unknown')))
    const started = startTrace(null, () => ({ name: 'job test' }), 'no traceparent at all')
    await expect(trace.run(started, failing)).rejects.toThrow()
    started.span?.end()
    await stop()
    const [pay] = collector.spans
    expect(pay && attribute(pay, 'error.type')).toBe('Error')
    expect(pay?.status.code).toBe(2)
    expect(collector.bodies.join()).not.toContain('sally')
  })
})

describe('a collector', () => {
  /** Sends spans in 20 bursts, as requests would. */
  async function burst(count: number): Promise<void> {
    for (let sent = 0; sent < count; sent++) {
      startTrace(null, () => ({
        name: 'request',
        attributes: { 'http.route': '/api/gift-cards' },
      })).span?.end()
      if (sent % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  it('that hangs costs a bounded queue, and does not keep the server from stopping', async () => {
    const stop = startTracing(settings, silent)
    collector.isHanging = true
    await burst(20_000)
    collector.isHanging = false
    await stop()
    expect(collector.spans.length).toBeGreaterThan(0)
    expect(collector.spans.length).toBeLessThanOrEqual(2048)
  }, 20_000)

  it('that is down is one line of the log, of no request', async () => {
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const address = free.address()
    free.close()
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${typeof address === 'object' && address?.port}`
    const lines: string[] = []
    const stop = startTracing(settings, createLog('trace', { write: (line) => void lines.push(line) }))
    await trace.run({ requestId: 'a' }, () => burst(5_000))
    await expect.poll(() => lines.length, { timeout: 15_000 }).toBe(1)
    await burst(5_000)
    await stop()
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        code: 'ECONNREFUSED',
        msg: 'the collector of OTEL_EXPORTER_OTLP_ENDPOINT takes no traces; it tries again',
      },
    ])
  }, 30_000)
})

describe('a server', () => {
  /** Prints the packages of OpenTelemetry that the process loads. */
  const reporting = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) {
      if (url.includes('opentelemetry')) process.stdout.write('loads ' + url + '\\n')
      return next(url, context)
    } })`)}`

  async function started(more: Record<string, string>): Promise<string> {
    const server = ServerProcess.start({
      DATA_DIR: await newDataDir(),
      NODE_OPTIONS: `--import=${reporting}`,
      ...more,
    })
    const url = await server.ready()
    const answer = await fetch(`${url}/api/brands?q=typed-query`)
    expect(answer.status).toBe(200)
    await server.end()
    return server.output
  }

  it('without a collector loads nothing of it', async () => {
    expect(await started({})).not.toContain('loads ')
  })

  it('with one sends what waits before it stops', async () => {
    const output = await started({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'Our shop',
    })
    expect(output).toContain('loads ')
    expect(collector.spans.map(({ name }) => name)).toContain('GET /api/brands')
    expect(collector.bodies.join()).toContain('Our shop')
    expect(collector.bodies.join()).not.toContain('typed-query')
  })
})
