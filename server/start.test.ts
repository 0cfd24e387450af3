import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { jobs, users } from '#server/platform/database/schema.ts'
import * as listening from '#server/platform/listening.ts'
import { createLog } from '#server/platform/log.ts'
import { afterwards } from '#test/afterwards.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { type Running, type StartOptions, start } from './start.ts'

// The test database runs without fsync.
vi.mock('#server/platform/database/durability.ts', () => ({ checkDurability: async () => {} }))
vi.mock('#server/platform/listening.ts', { spy: true })

let database: TestDatabase
let dataDir: string
let settings: Record<string, string>
beforeEach(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'unspent-test-start-'))
  afterwards(() => rm(dataDir, { recursive: true, force: true }))
  settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SECRET_KEYS: ['k1', 'index'].map((id) => `${id}:${randomBytes(32).toString('base64')}`).join(','),
    PORT: '0',
  }
})

async function startServer(
  more: Record<string, string> = {},
  announce: StartOptions['announce'] = () => {},
  log = createLog('silent'),
): Promise<Running> {
  const running = await start(readConfig({ ...settings, ...more }), {
    log,
    onLost: () => {},
    announce,
    signal: new AbortController().signal,
  })
  afterwards(running.stop)
  return running
}

const countAdministrators = async () => (await database.pool.query('select from administrators')).rowCount

it('creates the first administrator only once it listens, after showing the password', async () => {
  const other = createServer()
  await once(other.listen(0, '127.0.0.1'), 'listening')
  afterwards(async () => void other.close())
  const { port } = other.address() as AddressInfo
  const announced: string[] = []
  const busy = startServer({ PORT: String(port) }, (_, url) => void announced.push(url))
  await expect(busy).rejects.toThrow('set another PORT')
  expect(announced).toEqual([])
  expect(await countAdministrators()).toBe(0)

  const dying = startServer({}, () => {
    throw new Error('killed before the commit')
  })
  await expect(dying).rejects.toThrow('killed before the commit')
  expect(await countAdministrators()).toBe(0)

  let password: string | undefined
  const { url } = await startServer({}, ({ generatedPassword }) => {
    password = generatedPassword
  })
  const answer = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  expect(answer.status).toBe(200)
})

it('is ready only once there is an administrator', async () => {
  const { listen } = await vi.importActual<typeof listening>('#server/platform/listening.ts')
  const early: number[] = []
  vi.mocked(listening.listen).mockImplementationOnce(async (...args) => {
    const url = await listen(...args)
    early.push((await fetch(`${url}/readyz`)).status, (await fetch(`${url}/healthz`)).status)
    return url
  })
  const { url } = await startServer()
  expect([...early, (await fetch(`${url}/readyz`)).status]).toEqual([503, 200, 200])
})

it('warns at the start while payouts are stopped, as in a copied database', async () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const stopped = () => lines.filter((line) => line.includes('payouts are stopped')).length
  await (await startServer({}, () => {}, log)).stop()
  expect(stopped()).toBe(0)
  await database.pool.query("update installation set database = 'the original'")
  const uploads = join(dataDir, 'uploads/installation')
  await rm(uploads)
  await startServer({}, () => {}, log)
  expect(stopped()).toBe(1)
})

it('names the unset contact details in the log and to staff', async () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const warnings = () => lines.filter((line) => line.includes('not set:')).map((line) => JSON.parse(line).msg)
  const { url } = await startServer({ ADMIN_PASSWORD, SUPPORT_EMAIL: 'help@shop.example' }, () => {}, log)
  expect(warnings()).toEqual([expect.stringContaining('not set: MAIL_FROM, SUPPORT_PHONE.')])
  const { headers } = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  })
  const cookie = headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  const answer = await fetch(`${url}/api/admin/unset-contacts`, { headers: { cookie } })
  expect(await answer.json()).toEqual(['MAIL_FROM', 'SUPPORT_PHONE'])
})

it('sends waiting emails only once it knows its own address', async () => {
  const email = 'sally@example.com'
  const seller = {
    id: randomUUID(),
    username: 'sally',
    email,
    passwordHash: '-',
    firstName: 'S',
    lastName: 'S',
  }
  await database.db.insert(users).values(seller)
  const payload = { email, because: 'asked' }
  await database.db.insert(jobs).values({ id: randomUUID(), kind: 'passwordResetMail', key: 'k', payload })
  const tries = async () => (await database.pool.query('select attempts from jobs')).rows
  const { listen } = await vi.importActual<typeof listening>('#server/platform/listening.ts')
  vi.mocked(listening.listen).mockImplementationOnce(async (...args) => {
    // A running worker would take the announced job well within a second.
    await database.pool.query('notify unspent_jobs')
    const taken = vi.waitFor(async () => expect(await tries()).not.toMatchObject([{ attempts: 0 }]), 1000)
    await expect(taken).rejects.toThrow()
    return listen(...args)
  })
  const { url } = await startServer()
  const folder = join(dataDir, 'mail')
  const [name = ''] = await vi.waitFor(async () => {
    const names = (await readdir(folder)).filter((file) => !file.startsWith('.'))
    expect(names).toHaveLength(1)
    return names
  }, 30_000)
  const mail = (await readFile(join(folder, name), 'utf8')).replace(/=\r\n/g, '')
  expect(mail).toContain(`${url}/reset-password`)
  expect(mail).toContain(`Contact support: ${url}/contact`)
  expect(await tries()).toMatchObject([{ attempts: 1 }])
})
