import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkDurability } from './durability.ts'
import { cachedCopies } from './embedded/binary-cache.ts'
import { runsOn } from './embedded/postmaster.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { createPool } from './pool.ts'

const isRoot = process.geteuid?.() === 0
const nobody = 65534
const inUse = /^another Unspent server is already using DATA_DIR \S+$/

const servers: Embedded[] = []
const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) await ended(child, 'SIGTERM')
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

/** `mkdtemp` makes folders of mode 0700, so as root every test here keeps its data where PostgreSQL cannot enter. */
async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'unspent-embedded-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

async function start(dataDir: string, more: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, log: () => undefined, ...more })
  servers.push(server)
  return server
}

async function ask(server: { url: string }, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function clusterOf(dataDir: string): string {
  return join(dataDir, 'postgres/cluster')
}

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

type Word = { pid: number; url: string; error?: string }
type Other = { child: ChildProcess; word: Promise<Word> }

/** Another server process; `word` is what it says once it serves or has failed. */
function startOther(options: object, uid?: number): Other {
  const script = join(import.meta.dirname, 'embedded/test-server.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid && { uid, gid: uid }),
  })
  children.push(child)
  const word = new Promise<Word>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)))
    child.once('error', reject)
    child.once('exit', (code) => setTimeout(() => reject(new Error(`it ended with ${code}`)), 200))
  })
  return { child, word }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exit
}

describe('the embedded PostgreSQL', () => {
  test('is made once and keeps its data over starts', async () => {
    const dataDir = await makeDataDir()
    const first = await start(dataDir)
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    const made = async () => (await stat(join(clusterOf(dataDir), 'PG_VERSION'))).mtimeMs
    const before = await made()
    const second = await start(dataDir)
    expect(await made()).toBe(before)
    expect(await ask(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  test('is durable, checks its pages, and the application is no superuser', async () => {
    const server = await start(await makeDataDir())
    const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'listen_addresses']
    for (const [name, value] of settings.map((name) => [name, name === 'listen_addresses' ? '' : 'on']))
      expect(await ask(server, `SHOW ${name}`)).toEqual([{ [name ?? '']: value }])
    expect(
      await ask(server, "SELECT rolname, rolsuper FROM pg_roles WHERE rolname IN ('unspent', 'postgres')"),
    ).toEqual(
      expect.arrayContaining([
        { rolname: 'postgres', rolsuper: true },
        { rolname: 'unspent', rolsuper: false },
      ]),
    )
    expect(await ask(server, 'SELECT datlocale, datlocprovider FROM pg_database')).toContainEqual({
      datlocale: 'C.UTF-8',
      datlocprovider: 'b',
    })
    await ask(server, 'CREATE EXTENSION pg_trgm')
  })

  test('asks for the password and hides socket and credentials from other users', async () => {
    const dataDir = await makeDataDir()
    const server = await start(dataDir)
    const wrong = { url: server.url.replace(server.connection.password, 'wrong') }
    await expect(ask(wrong, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dataDir, 'postgres/credentials.json'))).mode & 0o777).toBe(0o600)
    expect(Buffer.byteLength(join(server.connection.host, '.s.PGSQL.5432'))).toBeLessThanOrEqual(100)
  })

  test('leaves no process and no socket folder behind', async () => {
    const dataDir = await makeDataDir()
    const server = await start(dataDir)
    const pid = server.pid()
    await Promise.all([server.stop(), server.stop()])
    expect(await runsOn(clusterOf(dataDir), pid)).toBe(false)
    await expect(stat(server.connection.host)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('lives below a very long path', async () => {
    const dataDir = join(
      await makeDataDir(),
      ...Array.from({ length: 8 }, () => 'a-long-name-'.repeat(4)),
      'data',
    )
    expect(await ask(await start(dataDir), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('says what PostgreSQL said when it does not start', async () => {
    const dataDir = await makeDataDir()
    const broken = start(dataDir, { settings: { shared_buffers: 'plenty' } })
    await expect(broken).rejects.toThrow(/^PostgreSQL did not start\n.*FATAL: .*"shared_buffers": "plenty"/s)
  })

  test('refuses a folder of another version or without its credentials in one line', async () => {
    const dataDir = await makeDataDir()
    await (await start(dataDir)).stop()
    await writeFile(join(dataDir, 'postgres/cluster/PG_VERSION'), '14\n')
    await expect(start(dataDir)).rejects.toThrow(
      /^\S+ was made by PostgreSQL 14 and this program brings 18: .*$/,
    )
    await writeFile(join(dataDir, 'postgres/cluster/PG_VERSION'), '18\n')
    await rm(join(dataDir, 'postgres/credentials.json'))
    await expect(start(dataDir)).rejects.toThrow(/credentials.json cannot be read/)
  })
})

describe('two servers on one folder', () => {
  test('the second is refused, and the first serves on', async () => {
    const dataDir = await makeDataDir()
    const first = await start(dataDir)
    expect((await startOther({ dataDir }).word).error).toMatch(inUse)
    await expect(start(dataDir)).rejects.toThrow(inUse)
    expect(await ask(first, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('of four that make it at the same time one wins', async () => {
    const dataDir = await makeDataDir()
    const others = Array.from({ length: 4 }, () => startOther({ dataDir }))
    const words = await Promise.all(others.map(({ word }) => word))
    const [winner, ...more] = words.filter(({ error }) => error === undefined)
    expect(more).toEqual([])
    expect(words.filter(({ error }) => error && inUse.test(error))).toHaveLength(3)
    expect(await ask(winner ?? { url: '' }, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('the next one waits while the first is ending', async () => {
    const dataDir = await makeDataDir()
    const first = startOther({ dataDir })
    await first.word
    first.child.kill('SIGTERM')
    await sleep(15)
    expect((await startOther({ dataDir }).word).error).toBeUndefined()
  })

  test('are kept apart though somebody cuts the connection of the lock', async () => {
    const dataDir = await makeDataDir()
    const onCrash = vi.fn()
    const server = await start(dataDir, { onCrash })
    const { password, host } = server.superuser
    const cut =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'unspent lock'"
    await ask({ url: `postgres://postgres:${password}@${encodeURIComponent(host)}/postgres` }, cut)
    await sleep(500)
    expect((await startOther({ dataDir }).word).error).toMatch(inUse)
    expect(onCrash).not.toHaveBeenCalled()
    expect(await ask(server, "SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory'")).toEqual([
      { count: 1 },
    ])
  })
})

describe('after kill -9', () => {
  test('of the server, the next one ends the PostgreSQL left over and goes on', async () => {
    const dataDir = await makeDataDir()
    const killed = startOther({ dataDir })
    const { pid, url } = await killed.word
    await ask({ url }, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await ended(killed.child, 'SIGKILL')
    expect(await runsOn(clusterOf(dataDir), pid)).toBe(true)
    const server = await start(dataDir)
    expect(server.pid()).not.toBe(pid)
    expect(await runsOn(clusterOf(dataDir), pid)).toBe(false)
    expect(await ask(server, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    await expect(stat(decodeURIComponent(new URL(url).hostname))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('of both, the next one waits for the shared memory', async () => {
    const dataDir = await makeDataDir()
    const killed = startOther({ dataDir })
    const { pid, url } = await killed.word
    await ask({ url }, 'CREATE TABLE kept AS SELECT 42 AS answer')
    killed.child.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    expect(await ask(await start(dataDir), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  test('while the database is being made, nothing broken is left', async () => {
    const dataDir = await makeDataDir()
    const killed = startOther({ dataDir })
    killed.word.catch(() => undefined)
    await vi.waitFor(async () => expect(await readdir(dataDir)).not.toEqual([]), {
      timeout: 5000,
      interval: 5,
    })
    await sleep(100)
    await ended(killed.child, 'SIGKILL')
    expect(await readdir(dataDir)).not.toContain('postgres')
    expect(await ask(await start(dataDir), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(await readdir(dataDir)).toEqual(['postgres'])
  })

  test('of PostgreSQL alone, it is started again and the pool finds it', async () => {
    const onCrash = vi.fn()
    const onLost = vi.fn()
    const server = await start(await makeDataDir(), { onCrash, onLost })
    const pool = createPool({ connection: server.connection, onError: () => undefined })
    onTestFinished(() => pool.end())
    await pool.query('CREATE TABLE kept AS SELECT 42 AS answer')
    const pid = server.pid()
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(server.pid()).not.toBe(pid), 10_000)
    await vi.waitFor(() => pool.query('SELECT answer FROM kept'), 10_000)
    expect(onCrash).toHaveBeenCalledOnce()
    expect(onLost).not.toHaveBeenCalled()
  })

  test('its number may belong to another process by now', async () => {
    const dataDir = await makeDataDir()
    await (await start(dataDir)).stop()
    const pidFile = join(clusterOf(dataDir), 'postmaster.pid')
    // Of the same user, as one may be after a reboot: PostgreSQL itself takes another user's for a stranger anyway.
    const { uid, gid } = await stat(clusterOf(dataDir))
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot && { uid, gid }) })
    children.push(stranger)
    await writeFile(pidFile, `${stranger.pid}\n/nowhere\n1795231858\n5432\n/tmp/nowhere\n\n 1 1\nready   \n`)
    await chown(pidFile, uid, -1)
    expect(await ask(await start(dataDir), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  })
})

describe.runIf(isRoot)('as root', () => {
  test('takes the first user there is and keeps to the one it took', async () => {
    const dataDir = await makeDataDir()
    const first = await start(dataDir, { users: ['no-such-user', 'nobody'] })
    expect(await readFile(`/proc/${first.pid()}/status`, 'utf8')).toMatch(
      /^Uid:\t65534\t65534\t65534\t65534$/m,
    )
    await first.stop()
    const second = await start(dataDir, { users: ['no-such-user'] })
    expect((await stat(`/proc/${second.pid()}`)).uid).toBe(nobody)
  })

  test('says what to do when there is no user to take', async () => {
    await expect(start(await makeDataDir(), { users: ['no-such-user'] })).rejects.toThrow(
      /^PostgreSQL does not run as root, and there is no user no-such-user .*$/,
    )
  })

  test('serves a copy put back from a backup, which belongs to root', async () => {
    const [dataDir, restored] = [await makeDataDir(), await makeDataDir()]
    const server = await start(dataDir)
    await ask(server, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await server.stop()
    await cp(dataDir, restored, { recursive: true })
    await chmod(clusterOf(restored), 0o755)
    expect((await stat(clusterOf(restored))).uid).toBe(0)
    expect(await ask(await start(restored), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  test('copies the programs to where the user may go, but not into what is not its own', async () => {
    const home = await makeDataDir()
    await chmod(home, 0o755)
    const native = join(home, 'closed/native')
    await mkdir(join(native, 'lib'), { recursive: true })
    await mkdir(join(native, 'bin'), { mode: 0o700 })
    await writeFile(join(native, 'bin/postgres'), '#!/bin/sh', { mode: 0o700 })
    const [squatted, open, good] = ['squatted', 'open', 'good'].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ]
    await mkdir(squatted)
    await chown(squatted, nobody, nobody)
    await mkdir(open)
    await chmod(open, 0o777)

    const copies = await allOf(cachedCopies(native, '1', [squatted, open, good]))
    expect(copies).toEqual([join(good, 'postgresql-1/native')])
    expect((await stat(join(good, 'postgresql-1/native/bin/postgres'))).mode & 0o777).toBe(0o755)
    await writeFile(join(native, 'bin/postgres'), '#!/bin/sh\n# newer')
    await allOf(cachedCopies(native, '1', [good]))
    expect(await readFile(join(good, 'postgresql-1/native/bin/postgres'), 'utf8')).toContain('newer')
  })
})

test('a user other than root runs it as itself', async (context) => {
  const dataDir = await makeDataDir()
  if (isRoot) await chown(dataDir, nobody, nobody)
  const { word } = startOther({ dataDir }, isRoot ? nobody : undefined)
  const server = await word.catch((error: NodeJS.ErrnoException) => {
    if (isRoot && error.code === 'EACCES') context.skip('nobody cannot enter the folder of the program')
    throw error
  })
  expect(server.error).toBeUndefined()
  expect(await ask(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect((await stat(clusterOf(dataDir))).uid).toBe(isRoot ? nobody : process.geteuid?.())
})

test('its durability passes the check that an external database has to pass', async () => {
  const server = await start(await makeDataDir())
  const pool = createPool({ connection: server.connection, onError: () => undefined })
  await expect(checkDurability(pool)).resolves.toBeUndefined()
  await pool.query("SELECT set_config('synchronous_commit', 'off', false)")
  await expect(checkDurability(pool)).rejects.toThrow(
    /^the database has synchronous_commit = off; it may be on, local/,
  )
  await pool.end()
})
