import { rm } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeMultipart } from '#test/multipart.ts'
import { PeakMemory } from '#test/peak-memory.ts'
import { ADMIN_PASSWORD, newSeller } from '#test/people.ts'
import { memoryShareOf } from '#test/processes.ts'
import { newDataDir, ServerProcess } from '#test/server-process.ts'
import { submissionParts } from '#test/submissions.ts'
import { isLong } from '../size.ts'
import { closeFuzzClient, type FuzzAnswer, sendFuzz } from './fuzz-client.ts'
import { type Format, seedFiles, TELLTALE, trickFiles } from './image-files.ts'
import { mutated } from './mutate.ts'
import { figure, seeded, sized } from './size.ts'

/** Limit for server and decoders together. */
const MEMORY_MB = 400
const COUNT = sized(4, 2000)
const CONCURRENCY = 4
const PATIENCE = isLong ? 3_600_000 : 240_000

const random = seeded('images')
let server: ServerProcess
let dataDir: string
let url: string
let cookie = ''
let staff = ''

beforeAll(async () => {
  dataDir = await newDataDir()
  server = ServerProcess.start({ DATA_DIR: dataDir, ADMIN_PASSWORD, RATE_LIMITS: 'off' })
  url = await server.ready()
  cookie = await signIn('/api/auth/register', newSeller())
  staff = await signIn('/api/admin/login', { username: 'admin', password: ADMIN_PASSWORD })
}, 120_000)

afterAll(async () => {
  server?.kill('SIGKILL')
  closeFuzzClient()
  await rm(dataDir, { recursive: true, force: true })
})

async function signIn(path: string, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const answer = await sendFuzz(
    url,
    { method: 'POST', path, headers, body: Buffer.from(JSON.stringify(body)) },
    '',
  )
  return answer.cookies.map((set) => set.split(';', 1)[0]).join('; ')
}

const get = (path: string, as: string) =>
  sendFuzz(url, { method: 'GET', path, headers: {}, body: undefined }, as)

async function upload(bytes: Buffer): Promise<FuzzAnswer> {
  const { payload, contentType } = encodeMultipart(submissionParts({}, [bytes]))
  const headers = { 'content-type': contentType }
  return sendFuzz(url, { method: 'POST', path: '/api/gift-cards', headers, body: payload }, cookie)
}

/** Expects staff to get a JPEG with nothing of the uploaded file but the picture. */
async function expectHarmless(answer: FuzzAnswer): Promise<void> {
  const [path] = JSON.parse(answer.bytes.toString()).giftCard.images as string[]
  for (const size of ['full', 'thumbnail']) {
    const photo = await get(`/api/admin/view/${path?.split('/').at(-1)}?size=${size}`, staff)
    expect(photo.status).toBe(200)
    expect(photo.headers).toContain('image/jpeg')
    expect(photo.headers).toContain("default-src 'none'; frame-ancestors 'none'; sandbox")
    expect(photo.headers).toMatch(/no-store/)
    const { exif, xmp, icc, iptc, format } = await sharp(photo.bytes).metadata()
    expect({ exif, xmp, icc, iptc, format }).toEqual({ format: 'jpeg' })
    for (const text of [TELLTALE, '<script', 'Exif', 'ICC_PROFILE', 'PK\u0003\u0004']) {
      expect(photo.bytes.includes(text), text).toBe(false)
    }
  }
}

describe('hostile photos', () => {
  it.each(Object.keys(seedFiles) as Format[])(
    'mutated %s files are refused or made harmless',
    async (format) => {
      const seeds = await seedFiles[format]()
      const memory = new PeakMemory(server.pid)
      const statuses = new Map<number, number>()
      const started = Date.now()
      for (let done = 0; done < COUNT; done += CONCURRENCY) {
        const files = Array.from({ length: CONCURRENCY }, () => mutated(random.pick(seeds), random))
        const answers = await Promise.all(files.map(upload))
        for (const [index, answer] of answers.entries()) {
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          const file = files[index]?.toString('base64').slice(0, 3000)
          expect([201, 413, 415], `${answer.bytes.toString('utf8', 0, 200)} ${file}`).toContain(answer.status)
          if (answer.status === 201) await expectHarmless(answer)
        }
      }
      memory.stop()
      expect(memory.peakMb).toBeLessThanOrEqual(MEMORY_MB)
      expect((await get('/readyz', '')).status).toBe(200)
      const counted = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
      const seconds = Math.round((Date.now() - started) / 1000)
      figure(
        `images: ${COUNT} mutated ${format}, ${seconds} s; ${counted}; at most ${memory.peakMb} MB together`,
      )
    },
    PATIENCE,
  )

  it('polyglots and decompression bombs do no harm', {
    timeout: PATIENCE,
  }, async () => {
    const memory = new PeakMemory(server.pid)
    const files = (await trickFiles()).filter(({ name }) => isLong || !/CMYK|24 mega/.test(name))
    for (const { name, bytes, accepted } of files) {
      const answer = await upload(bytes)
      if (accepted) {
        expect(answer.status, name).toBe(201)
        await expectHarmless(answer)
      } else expect([413, 415], name).toContain(answer.status)
    }
    const together = await Promise.all(files.map(({ bytes }) => upload(bytes)))
    for (const { status } of together) expect([201, 413, 415, 503]).toContain(status)
    memory.stop()
    if (isLong) expect(memory.peakMb).toBeLessThanOrEqual(MEMORY_MB)
    figure(
      `images: ${files.length} tricks and bombs, one by one and all at once: at most ${memory.peakMb} MB together, ` +
        `${memory.childPeakMb} MB of it decoders; the server alone ${Math.round(memoryShareOf(server.pid))} MB`,
    )
    expect((await get('/readyz', '')).status).toBe(200)
  })
})
