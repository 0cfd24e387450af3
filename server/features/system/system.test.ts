import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { bindStore } from '#server/operator/installation.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { jobs } from '#server/platform/database/schema.ts'
import { createMailer } from '#server/platform/mail/mailer.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { smtpServer } from '#test/smtp-server.ts'
import { checks } from './findings.ts'

const SYSTEM = '/api/admin/system'
const CARD = '6006493012345678'

let server: TestApp
beforeEach(async () => {
  server = await createTestApp()
  await bindStore(server.db, { photos: server.context.photos, store: 'here' })
})

/** Nothing listens there. */
const NO_SERVER = 'smtp://127.0.0.1:1'

async function appWith(settings: Record<string, string>): Promise<TestApp> {
  const config = readConfig(settings)
  const site = { productName: 'P', publicUrl: 'http://localhost' }
  return createTestApp({ operation: { config, mailer: createMailer(config, site) } })
}

const failJob = async (lastError: string, kind: typeof jobs.$inferInsert.kind = 'statusMail') => {
  const id = randomUUID()
  await server.db
    .insert(jobs)
    .values({ id, kind, key: id, payload: {}, attempts: 36, failedAt: new Date(), lastError })
  return id
}
const report = async (of = server) => (await (await of.staff()).get(SYSTEM)).json
const codes = (json: { findings: { code: string }[] }) => json.findings.map(({ code }) => code)

describe('the state of the system', () => {
  it('names what a new shop lacks, the worst first', async () => {
    const { findings, database, photos, mail, backups, jobs } = await report()
    expect(codes({ findings })).toEqual([
      'backups_off',
      'public_url_unset',
      'smtp_unset',
      'second_factor_optional',
      ...(process.geteuid?.() === 0 ? ['running_as_root'] : []),
      'one_owner',
    ])
    expect(database).toMatchObject({ embedded: true, bytes: expect.any(Number) })
    expect(photos).toMatchObject({ kind: 'folder', reachable: true })
    expect(mail).toEqual({ smtp: false, error: null, waiting: 0, lateSeconds: 0 })
    expect(backups).toEqual({ to: null, newestAt: null, everyHours: 24 })
    expect(jobs).toEqual({ total: 0, newest: [] })
  })

  it('finds nothing in a shop that is set up, and never shows a secret of the settings', async () => {
    const { url } = await smtpServer()
    const config = readConfig({
      PUBLIC_URL: 'https://shop.example',
      REQUIRE_TOTP: 'on',
      DATABASE_URL: 'postgres://u:hunter2@db/x',
      SECRET_KEYS: 'hunter2',
      STORAGE_URL: 's3://KEY:hunter2@photos?endpoint=https://store.example',
      BACKUP_TO: 's3://KEY:hunter2@backups?endpoint=https://store.example',
      BACKUP_RECIPIENT: 'age1abc',
      SMTP_URL: url,
      BOUNCE_SECRET: 'hunter2 hunter2 hunter2',
    })
    server = await createTestApp({
      operation: {
        config,
        mailer: createMailer(config, { productName: 'P', publicUrl: 'https://shop.example' }),
        backups: { newestAt: new Date() },
      },
    })
    await bindStore(server.db, { photos: server.context.photos, store: 'there' })
    await server.staff('second', 'owner')
    const found = await report()
    expect(codes(found).filter((code) => code !== 'running_as_root')).toEqual([])
    expect(found).toMatchObject({
      photos: { kind: 'bucket', name: 's3://photos/?endpoint=https://store.example' },
      mail: { smtp: true, error: null },
    })
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })

  it('says that the mail server cannot be reached', async () => {
    const { findings, mail } = await report(await appWith({ SMTP_URL: NO_SERVER }))
    expect(mail.error).toBe('ECONNREFUSED')
    expect(findings).toContainEqual(expect.objectContaining({ code: 'smtp_failing', level: 'broken' }))
  })

  it('finds a lost photo store, late backups and failed jobs', async () => {
    const config = readConfig({ BACKUP_TO: 'file:///backups', BACKUP_RECIPIENT: 'age1abc' })
    server = await createTestApp({
      operation: { config, backups: { newestAt: new Date(Date.now() - 27 * 3_600_000) } },
    })
    await failJob('Error: no')
    expect(codes(await report()).slice(0, 3)).toEqual(['photos_unreachable', 'backup_late', 'jobs_given_up'])
  })

  it('names a section of the guide for every finding, and serves the guide', async () => {
    const guide = await readFile(join(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
    for (const { section } of checks) expect(guide).toMatch(new RegExp(`^##+ ${section}$`, 'm'))
    const answer = await (await server.staff()).get(`${SYSTEM}/guide`)
    expect(answer.text).toBe(guide)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  })
})

describe('failed jobs', () => {
  it.each([
    [`Error: 550 <sally@example.com> unknown`, '550'],
    ['Error: connect ECONNREFUSED 10.0.0.1:25', 'ECONNREFUSED'],
    [`Error: Failed query: insert into x values ($1)\nparams: ${CARD},: 550 1`, 'database'],
    [`MailRefused: Not a single plain email address`, 'MailRefused'],
    [`TypeError: ${CARD} is not a function`, 'TypeError'],
    [CARD, 'Error'],
  ])('show a code instead of the message: %s', async (lastError, error) => {
    const id = await failJob(lastError)
    const { jobs } = await report()
    expect(jobs).toMatchObject({ total: 1, newest: [{ id, kind: 'statusMail', error, attempts: 36 }] })
    expect(JSON.stringify(jobs)).not.toMatch(/sally|600649|10\.0/)
  })

  it('are retried or discarded once, even by two owners at the same time, and the audit log knows', async () => {
    const owner = await server.staff()
    const [retried, discarded] = [await failJob('Error: a'), await failJob('Error: b')]
    for (const [verb, id] of [
      ['retry', retried],
      ['discard', discarded],
    ]) {
      const answers = await Promise.all([1, 2, 3].map(() => owner.post(`${SYSTEM}/jobs/${verb}`, { id })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    }
    expect((await owner.get(SYSTEM)).json.jobs.total).toBe(0)
    const left = await server.db.select().from(jobs)
    expect(left).toMatchObject([{ id: retried, attempts: 0, failedAt: null }])
    const log = (await owner.get('/api/admin/audit')).json
    expect(log.slice(0, 2)).toMatchObject([
      { action: 'job.discarded', subject: discarded, details: { job: 'statusMail' } },
      { action: 'job.retried', subject: retried },
    ])
  })

  it('that record payments are never discarded, and waiting jobs are not touched', async () => {
    const owner = await server.staff()
    const id = await failJob('Error: a', 'confirmBatch')
    expect((await report()).jobs.newest).toMatchObject([{ discardable: false }])
    const refused = await owner.post(`${SYSTEM}/jobs/discard`, { id })
    expect(refused.json.errors).toMatchObject([{ path: 'id', code: 'job_not_discardable' }])
    expect((await owner.post(`${SYSTEM}/jobs/retry`, { id })).status).toBe(200)
    for (const verb of ['retry', 'discard'])
      expect((await owner.post(`${SYSTEM}/jobs/${verb}`, { id })).status).toBe(404)
  })
})

describe('the test mail', () => {
  it('goes to the typed address or to that of the owner, and the audit log masks it', async () => {
    const { url, received } = await smtpServer()
    server = await appWith({ SMTP_URL: url })
    const owner = await server.staff()
    const missing = await owner.post(`${SYSTEM}/test-mail`, {})
    expect(missing.json.errors).toMatchObject([{ path: 'to' }])
    await server.pool.query(`update administrators set email = 'own@example.com'`)
    for (const [body, to] of [
      [{}, 'own@example.com'],
      [{ to: 'typed@example.com' }, 'typed@example.com'],
    ] as const) {
      expect((await owner.post(`${SYSTEM}/test-mail`, body)).json).toEqual({ to, smtp: true, error: null })
      expect(received.at(-1)).toMatchObject({ to: [to] })
    }
    const log = (await owner.get('/api/admin/audit?action=system.test_mail_sent')).json
    expect(log).toMatchObject([
      { details: { to: 't•••@example.com' } },
      { details: { to: 'o•••@example.com' } },
    ])
  })

  it('answers why it could not be sent', async () => {
    server = await appWith({ SMTP_URL: NO_SERVER })
    const answer = await (await server.staff()).post(`${SYSTEM}/test-mail`, { to: 'typed@example.com' })
    expect(answer).toMatchObject({ status: 200, json: { error: 'ECONNREFUSED' } })
  })

  it('takes one address', async () => {
    const owner = await server.staff()
    for (const to of ['a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com', 'x', 5, {}])
      expect((await owner.post(`${SYSTEM}/test-mail`, { to })).status).toBe(400)
  })
})
