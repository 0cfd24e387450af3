import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UNFINISHED } from '#server/platform/durable-file.ts'
import { encodeMultipart } from '#test/multipart.ts'
import { newDataDir, ServerProcess } from '#test/server-process.ts'
import { photo, submissionParts } from '#test/submissions.ts'
import { withoutRandom } from '#test/without-random.ts'

let dataDir: string
const started: ServerProcess[] = []

beforeEach(async () => {
  dataDir = await newDataDir()
})
afterEach(async () => {
  for (const server of started.splice(0)) {
    server.kill('SIGTERM')
    await server.ended()
  }
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

function start(settings: Record<string, string> = {}): ServerProcess {
  const server = ServerProcess.start({ DATA_DIR: dataDir, ...settings })
  started.push(server)
  return server
}

/** Calls over real HTTP, with an optional cookie. */
async function call(
  url: string,
  { cookie, json, ...init }: RequestInit & { cookie?: string; json?: object },
) {
  return fetch(url, {
    ...init,
    ...(json && { body: JSON.stringify(json) }),
    headers: {
      ...(cookie && { cookie }),
      ...(json && { 'content-type': 'application/json' }),
      ...(init.headers as Record<string, string>),
    },
  })
}

const newKeys = () => ['k1', 'index'].map((id) => `${id}:${randomBytes(32).toString('base64')}`).join(',')

const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

async function signUp(url: string): Promise<string> {
  const json = {
    username: 'sally',
    email: 'sally@example.com',
    password: 'a quite good password',
    firstName: 'Sally',
    lastName: 'Seller',
  }
  return cookieOf(await call(`${url}/api/auth/register`, { method: 'POST', json }))
}

async function sell(url: string, cookie: string): Promise<string> {
  const { payload, contentType } = encodeMultipart(submissionParts({}, [await photo()]))
  const response = await call(`${url}/api/gift-cards`, {
    method: 'POST',
    cookie,
    body: new Uint8Array(payload),
    headers: { 'content-type': contentType, 'idempotency-key': randomUUID() },
  })
  const { giftCard } = (await response.json()) as { giftCard: { id: string } }
  return giftCard.id
}

/** PostgreSQL has this file while it runs. */
const postmasterPid = () => join(dataDir, 'postgres', 'cluster', 'postmaster.pid')

async function mails(): Promise<string[]> {
  const folder = join(dataDir, 'mail')
  const names = await readdir(folder).catch(() => [])
  const whole = names.filter((name) => !name.startsWith(UNFINISHED))
  const read = whole.map((name) => readFile(join(folder, name), 'utf8'))
  // Quoted-printable breaks long lines, also within a link.
  return (await Promise.all(read)).map((mail) => mail.replaceAll('=\r\n', ''))
}

/** The emails with these words. Waits for the first one. */
async function mailsSaying(words: string): Promise<string[]> {
  for (;;) {
    const found = (await mails()).filter((mail) => mail.includes(words))
    if (found.length > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('the server as a process', () => {
  it('prints the first password once, keeps everything after kill -9, emails each move, and stops in order', async () => {
    const first = start()
    const url = await first.ready()
    const password = /Password \(shown only once\): (\S+)/.exec(first.output)?.[1] ?? ''
    expect(password).toHaveLength(20)

    const seller = await signUp(url)
    const id = await sell(url, seller)
    first.kill('SIGKILL')
    await first.ended()

    const second = start()
    const again = await second.ready()
    expect(second.output).not.toContain('Password')
    const own = await call(`${again}/api/user/gift-cards`, { cookie: seller })
    expect(await own.json()).toMatchObject([{ id, status: 'pending' }])

    const staff = cookieOf(
      await call(`${again}/api/admin/login`, { method: 'POST', json: { username: 'admin', password } }),
    )
    const moved = await call(`${again}/api/admin/submissions/${id}/status`, {
      method: 'PATCH',
      cookie: staff,
      json: { status: 'rejected', reason: 'The photo is blurry' },
    })
    expect(moved.status).toBe(200)
    const [mail = ''] = await mailsSaying('The photo is blurry')
    expect(mail).toContain('To: sally@example.com')
    expect(mail).toContain(`${again}/sell-card?brand=3Damazon`)
    expect(withoutRandom(mail)).not.toContain('6006')

    expect(existsSync(postmasterPid())).toBe(true)
    second.kill('SIGTERM')
    expect(await second.ended()).toBe(0)
    expect(second.output).toMatch(/\nStopping: [^\n]+\nStopped\.\n$/)
    expect(existsSync(postmasterPid())).toBe(false)
    expect(await mailsSaying('The photo is blurry')).toHaveLength(1)
  }, 90_000)

  it('refuses a data folder in use by another server, in one line', async () => {
    await start().ready()
    const late = start()
    expect(await late.ended()).toBe(1)
    expect(late.output.trim().split('\n')).toHaveLength(1)
    expect(late.output).toContain(dataDir)
  }, 60_000)

  it.each(['the database', 'the photo store'])(
    'aborts a start that waits for %s',
    async (what) => {
      const silent = createServer()
      await once(silent.listen(0, '127.0.0.1'), 'listening')
      const { port } = silent.address() as AddressInfo
      const settings: Record<string, string> =
        what === 'the database'
          ? { DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/x`, SECRET_KEYS: newKeys() }
          : { STORAGE_URL: `s3://key:secret@photos?endpoint=http://127.0.0.1:${port}` }
      const server = start(settings)
      const [socket] = await once(silent, 'connection')
      server.kill('SIGTERM')
      expect(await server.ended()).toBe(0)
      expect(server.output).toBe('')
      expect(existsSync(postmasterPid())).toBe(false)
      socket.destroy()
      silent.close()
      // The first password was not printed yet, so the next start prints it.
      const next = start()
      await next.ready()
      expect(next.output).toContain('Password (shown only once)')
    },
    90_000,
  )

  it.each([
    [{ PORT: 'abc' }, /^PORT is "abc"; it must be a whole number from 0 to 65535$/],
    [{ SMTP_URL: 'mail.example.com' }, /^SMTP_URL is a value of 16 characters; it must be/],
    [{ ADMIN_PASSWORD: 'short' }, /^ADMIN_PASSWORD is a value of 5 characters/],
    [{ RATE_LIMITS: 'off', PUBLIC_URL: 'https://unspent.example' }, /^RATE_LIMITS is "off".*PUBLIC_URL/],
    [{ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' }, /^SECRET_KEYS is not set/],
    [{ SECRET_KEYS: 'k1:short' }, /^SECRET_KEYS/],
    [{ BRAND_DIR: '/nowhere' }, /^BRAND_DIR is "\/nowhere"; it must be the path of a folder$/],
  ])('refuses %o in one line', async (settings, line) => {
    const server = start(settings)
    expect(await server.ended()).toBe(1)
    expect(server.output.trim()).toMatch(line)
    expect(server.output.trim().split('\n')).toHaveLength(1)
  })

  it('names DATA_DIR if it cannot be written', async () => {
    const file = join(dataDir, 'file')
    await writeFile(file, '')
    const server = start({ DATA_DIR: join(file, 'data') })
    expect(await server.ended()).toBe(1)
    expect(server.output).toMatch(/^DATA_DIR \S+\/file\/data cannot be written \(ENOTDIR[^\n]+\)\. [^\n]+\n$/)
  })

  it('refuses a bad brand together with a bad setting, one line for each problem', async () => {
    const brand = join(dataDir, 'brand')
    await mkdir(brand)
    await writeFile(
      join(brand, 'brand.json'),
      '{"name": 5, "claims": [{"figure": "live:sales", "text": "Sold"}]}',
    )
    await writeFile(join(brand, 'tokens.css'), ':root { --on-accent: #888 }')
    await writeFile(join(brand, 'logo.svg'), '<svg viewBox="0 0 9 9"><script>1</script></svg>')
    const server = start({ BRAND_DIR: brand, PORT: 'abc' })
    expect(await server.ended()).toBe(1)
    expect(server.output.trim().replaceAll(brand, '').split('\n')).toEqual([
      'PORT is "abc"; it must be a whole number from 0 to 65535',
      '/brand.json: name must be 1 to 60 characters in one line',
      expect.stringContaining('/brand.json: claims.0.figure must be a text, or one of live:cards_traded'),
      '/logo.svg: it must not contain <script',
      expect.stringMatching(
        /^\/tokens\.css: --on-accent on --accent in the light theme has a contrast of 2\.\d\d:1; it must be at least 4\.5:1$/,
      ),
      expect.stringContaining('/tokens.css: --on-accent on --accent-strong in the light theme'),
    ])
  })
})
