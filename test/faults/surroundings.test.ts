import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { findRunning } from '#server/database/embedded/running.ts'
import { createPool } from '#server/database/pool.ts'
import { openStorage } from '#server/photos/storage.ts'
import { createTestApp } from '#test/app.ts'
import { newDataDir } from '#test/server-process.ts'
import { LiveClient } from '#test/socket.ts'
import { submit } from '#test/submissions.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { check } from './checker.ts'
import { type Load, startLoad } from './load.ts'
import { Shop, until } from './shop.ts'
import { say, seed, sizes } from './sizes.ts'

const LONG = 240_000

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
}, 60_000)

interface Scene {
  readonly shop: Shop
  readonly load: Load
  readonly acknowledgements: Acknowledgements
  readonly pool: pg.Pool
  /** Ends the work and holds what is there against what was promised. */
  readonly allIsWell: () => Promise<void>
}

/** A server with people at work on it. */
async function atWork(dataDir: string, settings: Record<string, string> = {}): Promise<Scene> {
  const aside = await mkdtemp(join(tmpdir(), 'unspent-acks-'))
  const acknowledgements = new Acknowledgements(join(aside, 'acknowledgements'))
  const shop = await Shop.open({ DATA_DIR: dataDir, ...settings })
  endings.push(() => shop.close())
  const load = await startLoad({ url: shop.url, acknowledgements, sellers: 3, staff: 2, seed })
  endings.push(() => load.stop())
  const connection = await findRunning(dataDir)
  if (!connection) throw new Error('No PostgreSQL runs on the folder')
  const pool = createPool({ connection, max: 3, onError: () => undefined })
  endings.push(() => pool.end())
  const allIsWell = async () => {
    await load.stop()
    const storage = await openStorage(readConfig({ DATA_DIR: dataDir, ...settings }).storage)
    expect(await check({ pool, storage, acknowledgements, folders: [dataDir] })).toEqual([])
    expect(load.wrong).toEqual([])
  }
  return { shop, load, acknowledgements, pool, allIsWell }
}

async function newFolder(): Promise<string> {
  const folder = await newDataDir()
  endings.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Work goes on: so many more promises. */
async function more({ acknowledgements }: Scene, count: number): Promise<void> {
  const before = acknowledgements.all.length
  await until(() => acknowledgements.all.length >= before + count)
}

describe('the mail server', () => {
  it(
    'is down, hangs, and hangs up after DATA: every move is mailed in the end',
    async () => {
      const mail = await startMailServer()
      const scene = await atWork(await newFolder(), { SMTP_URL: mail.url })
      for (const mood of ['down', 'hanging', 'dropping'] as const) {
        mail.mood = mood
        await more(scene, 6)
      }
      mail.mood = 'well'
      await scene.load.stop()
      await until(async () => {
        await scene.pool.query(
          'UPDATE jobs SET run_at = now() WHERE done_at IS NULL AND attempts > 0 AND last_error IS NOT NULL',
        )
        const { rows } = await scene.pool.query('SELECT 1 FROM jobs WHERE done_at IS NULL')
        return rows.length === 0
      })
      const { rows } = await scene.pool.query<{ id: string }>("SELECT id FROM jobs WHERE kind = 'statusMail'")
      expect(rows.length).toBeGreaterThan(0)
      for (const { id } of rows) expect(mail.taken.has(id)).toBe(true)
      await scene.allIsWell()
    },
    LONG,
  )
})

type MailMood = 'well' | 'down' | 'hanging' | 'dropping'

async function startMailServer() {
  const taken = new Set<string>()
  const line = createServer((socket) => {
    if (server.mood === 'down') return void socket.destroy()
    if (server.mood === 'hanging') return void endings.push(async () => socket.destroy())
    smtp.server.emit('connection', socket)
  })
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
      stream.on('end', () => {
        if (server.mood === 'dropping') return void hangUp(session.remotePort)
        taken.add(/^Message-ID: <([^@>]+)@/im.exec(text)?.[1] ?? '')
        done()
      })
    },
  })
  const sockets = new Map<number | undefined, Socket>()
  line.on('connection', (socket) => sockets.set(socket.remotePort, socket))
  const hangUp = (port: number) => sockets.get(port)?.destroy()
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  endings.push(async () => {
    for (const socket of sockets.values()) socket.destroy()
    line.close()
  })
  const { port } = line.address() as { port: number }
  const server = { url: `smtp://127.0.0.1:${port}`, mood: 'well' as MailMood, taken }
  return server
}

describe.runIf(canMount())('the disk is full', () => {
  it(
    'for the photos: refused with 503, and taken when there is room again',
    async () => {
      const small = await smallDisk('8m')
      const dataDir = await newFolder()
      const scene = await atWork(dataDir, { STORAGE_URL: `file:${small}/uploads` })
      await more(scene, 3)
      const ballast = await fill(small)
      const seller = scene.load.people.get('seller0')
      if (!seller) throw new Error('There is no seller')
      await until(async () => (await submit(seller)).status === 503)
      await rm(ballast)
      await more(scene, 5)
      await scene.allIsWell()
    },
    LONG,
  )

  it(
    'for everything, the database included: it comes back when there is room again',
    async () => {
      const dataDir = await smallDisk('400m')
      const scene = await atWork(dataDir)
      await more(scene, 3)
      const ballast = await fill(dataDir)
      const seller = scene.load.people.get('seller0')
      if (!seller) throw new Error('There is no seller')
      await until(async () => (await submit(seller).catch(() => ({ status: 503 }))).status === 503)
      await rm(ballast)
      if (await ended(scene.shop)) await scene.shop.start()
      await more(scene, 5)
      await scene.allIsWell()
    },
    LONG,
  )
})

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt'], {
      stdio: 'ignore',
    })
    return process.geteuid?.() === 0
  } catch {
    return false
  }
}

async function smallDisk(size: string): Promise<string> {
  const folder = await newDataDir()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', folder])
  endings.push(async () => execFileSync('umount', ['--lazy', folder]))
  return folder
}

/** Leaves no room at all. @returns the file that takes it */
async function fill(folder: string): Promise<string> {
  const ballast = join(folder, 'ballast')
  for (const size of [1 << 20, 1 << 12]) {
    const piece = Buffer.alloc(size)
    while (
      await writeFile(ballast, piece, { flag: 'a' }).then(
        () => true,
        () => false,
      )
    );
  }
  return ballast
}

async function ended(shop: Shop): Promise<boolean> {
  const response = await fetch(`${shop.addressOf(0)}/healthz`).catch(() => undefined)
  return response === undefined
}

describe('the end', () => {
  it(
    `in order, with ${sizes.sockets} open sockets: each hears 1012, and the next server has them again`,
    async () => {
      const scene = await atWork(await newFolder())
      const cookie = scene.load.people.get('seller0')?.cookieHeader ?? ''
      const open = (count: number) =>
        Promise.all(Array.from({ length: count }, () => LiveClient.open(scene.shop.addressOf(0), { cookie })))
      const sockets = await open(sizes.sockets)
      const [codes] = await Promise.all([Promise.all(sockets.map(({ closed }) => closed)), scene.shop.stop()])
      expect(new Set(codes)).toEqual(new Set([1012]))
      await scene.shop.start()
      for (const socket of await open(sizes.sockets)) socket.close()
      await more(scene, 3)
      await scene.pool.query('SELECT 1').catch(() => undefined)
      await scene.load.stop()
      expect(scene.load.wrong).toEqual([])
      say(`${sizes.sockets} sockets over a restart`)
    },
    LONG,
  )
})

describe('more than can be done', () => {
  it(
    'is turned away with 503 and Retry-After, and what comes later is served',
    async () => {
      const server = await createTestApp()
      const seller = await server.seller()
      // Ten connections to the database, all of them held.
      const held = await Promise.all(Array.from({ length: 10 }, () => server.pool.connect()))
      const asking = Array.from({ length: 400 }, () => seller.get('/api/user/gift-cards'))
      const first = await Promise.race(asking)
      expect(first.status).toBe(503)
      expect(Number(first.headers['retry-after'])).toBeGreaterThan(0)
      expect((await server.visitor().get('/healthz')).status).toBe(200)
      for (const client of held) client.release()
      const statuses = (await Promise.all(asking)).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([200, 503]))
      expect((await seller.get('/api/user/gift-cards')).status).toBe(200)
    },
    LONG,
  )
})
