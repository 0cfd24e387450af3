import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Embedded, startEmbedded } from '#server/platform/database/embedded.ts'
import { connectionUrl } from '#server/platform/database/pool.ts'
import type { Person } from '#test/person.ts'
import { newDataDir } from '#test/server-process.ts'
import { newSeller } from './load.ts'
import { freePort, Shop, until } from './shop.ts'
import { report } from './sizes.ts'

const CADDYFILE = join(import.meta.dirname, '../../Caddyfile')
const caddyVersion = versionOfCaddy()
if (!caddyVersion) report('proxy: left out, because there is no caddy on the PATH')

/** Calls of each kind that are sent at the same time. */
const AT_ONCE = 3

/** The proxy of compose.yaml, with its configuration, in front of two servers. */
describe.runIf(caddyVersion)('two servers behind Caddy', { timeout: 600_000 }, () => {
  let folders: string[]
  let database: Embedded
  let shop: Shop
  let caddy: ChildProcess
  let seller: Person
  beforeAll(async () => {
    folders = await Promise.all([newDataDir(), newDataDir(), mkdtemp(join(tmpdir(), 'unspent-proxy-'))])
    const [cluster = '', dataDir = '', home = ''] = folders
    database = await startEmbedded({ dataDir: cluster, log: () => undefined })
    const [front, ...ports] = await Promise.all([freePort(), freePort(), freePort()])
    const url = `http://127.0.0.1:${front}`
    const key = () => randomBytes(32).toString('base64')
    const settings = {
      DATA_DIR: dataDir,
      DATABASE_URL: connectionUrl(database.connection),
      STORAGE_URL: `file://${join(home, 'photos')}`,
      PUBLIC_URL: url,
      // Each POST is in the log.
      LOG_LEVEL: 'info',
      TRUST_PROXY: '127.0.0.1',
      SECRET_KEYS: `k1:${key()},index:${key()}`,
    }
    shop = await Shop.open(settings, ports.length, (node) => ({ PORT: String(ports[node]) }))
    const servers = ports.map((port) => `127.0.0.1:${port}`).join(' ')
    caddy = spawn('caddy', ['run', '--config', CADDYFILE, '--adapter', 'caddyfile'], {
      env: { PATH: process.env.PATH, HOME: home, DOMAIN: url, SERVERS: servers },
      stdio: 'ignore',
    })
    await until(() =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    seller = await newSeller(url, 'proxied')
  }, 600_000)
  afterAll(async () => {
    caddy?.kill('SIGTERM')
    if (caddy && caddy.exitCode === null) await once(caddy, 'exit')
    await shop?.close()
    await database?.stop()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  it('answer every request while one is killed, stopped or starting', async () => {
    const load = startCalls(seller)
    await load.more()
    await shop.kill(0)
    await load.more()
    // The server may have done what a cut-off POST asks, so the proxy must not send it again.
    expect(load.failed.filter(({ method }) => method === 'GET')).toEqual([])
    expect(load.failed.length).toBeLessThanOrEqual(AT_ONCE)
    report(`proxy: ${load.answered} calls answered, ${load.failed.length} cut off by the kill`)
    load.failed.length = 0

    await shop.start(0)
    // The proxy takes seconds to notice. With the other server stopped too early, it would answer 503.
    await until(() => shop.nodes[0]?.output.includes('/api/chat/messages') ?? false)
    await shop.stop(1)
    await load.more()
    await shop.start(1)
    await load.more()
    await load.stop()
    expect(load.failed.filter(({ method }) => method === 'GET')).toEqual([])
    if (repeatsPosts(caddyVersion)) expect(load.failed).toEqual([])
    report(`proxy: ${load.answered} calls answered, also while one server stopped and started`)
  })
})

interface Failure {
  readonly method: string
  readonly problem: string
}

/** Reads and writes without a pause until stopped. */
function startCalls(person: Person) {
  const failed: Failure[] = []
  const load = { answered: 0, failed, more, stop }
  let isOver = false
  const workers = Array.from({ length: AT_ONCE }, () => [
    keepCalling('GET', () => person.get('/api/user/gift-cards')),
    keepCalling('POST', () =>
      person.post('/api/chat/messages', { message: 'Is it there?', clientId: crypto.randomUUID() }),
    ),
  ]).flat()

  async function keepCalling(method: string, call: () => Promise<{ status: number }>): Promise<void> {
    while (!isOver) {
      const problem = await call().then(({ status }) => (status < 300 ? undefined : status), String)
      if (problem === undefined) load.answered += 1
      else failed.push({ method, problem: String(problem) })
      await sleep(10)
    }
  }

  /** Waits for some more answers of both servers. */
  async function more(): Promise<void> {
    const before = load.answered
    await until(() => load.answered > before + 200)
  }

  async function stop(): Promise<void> {
    isOver = true
    await Promise.all(workers)
  }
  return load
}

/** Undefined if it is not installed. */
function versionOfCaddy(): string | undefined {
  try {
    return execFileSync('caddy', ['version'], { encoding: 'utf8' })
  } catch {
    return undefined
  }
}

/**
 * Caddy up to 2.11.1 may answer 502 to a POST that a stopped server refused, and 503 to others for five seconds:
 * https://github.com/caddyserver/caddy/pull/7547
 */
function repeatsPosts(version = ''): boolean {
  const [, major = 0, minor = 0, patch = 0] = (/(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []).map(Number)
  return major > 2 || minor > 11 || (minor === 11 && patch > 1)
}
