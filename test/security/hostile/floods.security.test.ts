import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pace } from '#server/http/limits/limits.ts'
import { encodeMultipart } from '#test/multipart.ts'
import { PeakMemory } from '#test/peak-memory.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { Person } from '#test/person.ts'
import { memoryShareOf } from '#test/processes.ts'
import { RawConnection } from '#test/raw-request.ts'
import { remote } from '#test/remote.ts'
import { gridHeic } from '#test/sample-heic.ts'
import { newDataDir, ServerProcess } from '#test/server-process.ts'
import { registered } from '#test/signed-in.ts'
import { photo, submissionParts, submit } from '#test/submissions.ts'
import { isLong, PATIENCE } from '../size.ts'
import { figure, sized } from './size.ts'

let server: ServerProcess
let dataDir: string
let url: string
let seller: Person
let attacker: Person
const connections: RawConnection[] = []

beforeAll(async () => {
  dataDir = await newDataDir()
  server = ServerProcess.start({ DATA_DIR: dataDir, ADMIN_PASSWORD })
  url = await server.ready()
  attacker = await registered(new Person(remote(url)))
}, 120_000)

// A new seller for each test, with unused rate limits.
beforeEach(async () => {
  seller = await registered(new Person(remote(url)))
})

afterAll(async () => {
  for (const connection of connections) connection.close()
  await server?.end()
  await rm(dataDir, { recursive: true, force: true })
})

/** Connects from another address than the seller's. */
async function attack(): Promise<RawConnection> {
  const connection = await RawConnection.open(url, '127.0.0.2')
  connections.push(connection)
  return connection
}

/** How long a seller waits for a call, in ms. */
async function waits(count: number): Promise<{ median: number; p99: number }> {
  const times: number[] = []
  for (let call = 0; call < count; call++) {
    const begun = performance.now()
    expect((await seller.get('/api/user/gift-cards')).status).toBe(200)
    times.push(performance.now() - begun)
  }
  times.sort((one, other) => one - other)
  const at = (part: number) => Math.round((times[Math.floor(part * count)] ?? 0) * 10) / 10
  return { median: at(0.5), p99: at(0.99) }
}

const get = (path: string, cookie = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\n\r\n`

describe('a flood', { timeout: PATIENCE }, () => {
  it('of pipelined requests without reading answers does not block others', async () => {
    for (let opened = 0; opened < 3; opened++) {
      const connection = await attack()
      connection.stopReading()
      connection.say(get('/api/brands').repeat(1150))
    }
    const { median, p99 } = await waits(sized(50, 400))
    figure(`floods: 3 × 1,150 pipelined calls, not read: a seller waits ${median} ms, p99 ${p99} ms`)
  })

  it('of photo requests without reading answers uses bounded memory', async () => {
    const { width, height } = { width: 3000, height: 2600 }
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const large = await sharp({ create: { width, height, channels: 3, background: 'white', noise } })
      .jpeg({ quality: 90 })
      .toBuffer()
    const answer = await submit(attacker, {}, { photos: [large] })
    const [path] = answer.json.giftCard.images
    await attacker.get(path)
    const before = Math.round(memoryShareOf(server.pid))
    const memory = new PeakMemory(server.pid)
    for (let opened = 0; opened < sized(100, 600); opened++) {
      const connection = await attack()
      connection.stopReading()
      connection.say(get(path, attacker.cookieHeader))
    }
    const { median, p99 } = await waits(sized(50, 400))
    memory.stop()
    figure(
      `floods: a photo of ${Math.round(large.length / 1e5) / 10} MB asked for ${sized(100, 600)} times, not read: ` +
        `${before} MB before, at most ${memory.peakMb} MB; a seller waits ${median} ms, p99 ${p99} ms`,
    )
    expect(memory.peakMb).toBeLessThanOrEqual(400)
  })

  it.each(['sessions', 'handshakes', 'probes'])('of made-up %s does not slow a seller down', async (kind) => {
    const idle = await waits(sized(50, 400))
    const begun = performance.now()
    const flood = await startFlood(kind)
    const flooded = await waits(sized(50, 400))
    const answered = await endFlood(flood)
    const seconds = (performance.now() - begun) / 1000
    figure(
      `floods: ${kind} ${JSON.stringify(answered)}: a seller waits ${flooded.median} ms, p99 ${flooded.p99} ms; ` +
        `${idle.median} ms, p99 ${idle.p99} ms without`,
    )
    const calls = Object.values(answered).reduce((sum, count) => sum + count, 0)
    // Calls above the pace of an address wait, also those that are refused.
    expect(calls).toBeLessThanOrEqual(pace.burst + pace.perSecond * seconds)
  })

  it.runIf(isLong)('of slow uploads and huge pictures does not keep a seller from submitting', async () => {
    const photos = await Promise.all([1, 2, 3].map((shade) => photo(shade, { width: 3000, height: 2000 })))
    const submitting = async () => {
      const begun = performance.now()
      expect((await submit(seller, {}, { photos })).status).toBe(201)
      return Math.round((performance.now() - begun) / 100) / 10
    }
    const idle = await submitting()
    const slow = encodeMultipart(submissionParts({}, [Buffer.alloc(9_000_000)]))
    const head = (type: string, length: number) =>
      `POST /api/gift-cards HTTP/1.1\r\nhost: x\r\ncookie: ${attacker.cookieHeader}\r\n` +
      `content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`
    for (let opened = 0; opened < 7; opened++) {
      const connection = await attack()
      connection.say(head(slow.contentType, slow.payload.length))
      connection.say(slow.payload.subarray(0, -100))
    }
    const huge = encodeMultipart(submissionParts({}, [await gridHeic({ width: 5600, height: 4300 })]))
    const pictures = await Promise.all(Array.from({ length: 20 }, attack))
    for (const connection of pictures) {
      connection.say(head(huge.contentType, huge.payload.length))
      connection.say(huge.payload)
    }
    // Waits until the first one is decoded or refused.
    await expect.poll(() => pictures.some(({ heard }) => heard !== ''), { timeout: 60_000 }).toBe(true)
    const flooded = await submitting()
    figure(
      `floods: 7 slow uploads and 20 huge HEIC pictures: another seller submits in ${flooded} s, ${idle} s without`,
    )
  })
})

const FLOOD = join(import.meta.dirname, 'flood.ts')

async function startFlood(kind: string): Promise<ChildProcess> {
  const flood = spawn(process.execPath, [FLOOD, url, kind], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (flood.stdout) await once(flood.stdout, 'data')
  return flood
}

async function endFlood(flood: ChildProcess): Promise<Record<string, number>> {
  const printed = flood.stdout ? text(flood.stdout) : Promise.resolve('{}')
  flood.kill('SIGTERM')
  return JSON.parse(await printed)
}
