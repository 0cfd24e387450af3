import { execFileSync } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { sample } from '#test/sample-photos.ts'
import { PhotoDecoderBusy, PhotoRefused } from './errors.ts'
import { PhotoDecoder, type PhotoDecoderOptions } from './photo-decoder.ts'

let decoder: PhotoDecoder
afterEach(() => decoder.close())

const photo = await sample().jpeg().toBuffer()
// Programs of a child that has accidents. A JPEG that ends in these words does what they say.
const jpeg = (order: string) => Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from(order)])
const RECKLESS = `
  const answer = { kind: 'decoded', photo: { image: Buffer.from(String(process.pid)) }, rss: 0 }
  process.on('message', (bytes) => {
    const order = Buffer.from(bytes).toString('latin1', 3)
    if (order === 'crash') process.abort()
    if (order === 'exit') process.exit(0)
    if (order === 'hang') while (true);
    if (order === 'stand still') return
    if (order === 'swell') process.send({ ...answer, rss: 1e9 })
    else if (order === 'wait') setTimeout(() => process.send(answer), 100)
    else process.send(answer)
  })
  process.send({ kind: 'ready' })`

async function decoderWith(program: string, options: PhotoDecoderOptions = {}): Promise<PhotoDecoder> {
  const path = join(await mkdtemp(join(tmpdir(), 'unspent-worker-')), 'worker.mjs')
  await writeFile(path, program)
  decoder = new PhotoDecoder({ worker: pathToFileURL(path), ...options })
  return decoder
}

async function pidOf(decoding: Promise<{ image: Buffer }>): Promise<number> {
  return Number((await decoding).image.toString())
}

const lives = (pid: number) => {
  try {
    return !/\) Z /.test(execFileSync('cat', [`/proc/${pid}/stat`], { encoding: 'utf8', stdio: 'pipe' }))
  } catch {
    return false
  }
}

describe('an accident of one photo', () => {
  it.each(['crash', 'exit'])('%s: refuses it, and the next one is taken', async (order) => {
    await decoderWith(RECKLESS, { children: 1 })
    const before = await pidOf(decoder.decode(photo))
    await expect(decoder.decode(jpeg(order))).rejects.toMatchObject({ reason: 'unreadable' })
    const after = await pidOf(decoder.decode(photo))
    expect(after).not.toBe(before)
  })

  it('hang: ends it when its processor time is up, and those behind it are served', async () => {
    await decoderWith(RECKLESS, { children: 1, cpuLimitMs: 300 })
    const pid = await pidOf(decoder.decode(photo))
    const hanging = decoder.decode(jpeg('hang'))
    const behind = decoder.decode(photo)
    await expect(hanging).rejects.toThrow(PhotoRefused)
    expect(await pidOf(behind)).not.toBe(pid)
    await expect.poll(() => lives(pid)).toBe(false)
  })

  it('stand still: is told from a photo that cannot be read, and those behind it are served', async () => {
    await decoderWith(RECKLESS, { children: 1, timeLimitMs: 300 })
    const pid = await pidOf(decoder.decode(photo))
    const waiting = decoder.decode(jpeg('stand still'))
    const behind = decoder.decode(photo)
    await expect(waiting).rejects.toThrow(PhotoDecoderBusy)
    expect(await pidOf(behind)).not.toBe(pid)
    await expect.poll(() => lives(pid)).toBe(false)
  })

  it('swell: a child that keeps too much memory is replaced', async () => {
    await decoderWith(RECKLESS, { children: 1 })
    const swollen = await pidOf(decoder.decode(jpeg('swell')))
    expect(await pidOf(decoder.decode(photo))).not.toBe(swollen)
    await expect.poll(() => lives(swollen)).toBe(false)
  })

  it('a child ended from outside, busy or idle, costs no photo', async () => {
    await decoderWith(RECKLESS, { children: 1 })
    const busy = await pidOf(decoder.decode(photo))
    const decoding = pidOf(decoder.decode(jpeg('wait')))
    process.kill(busy, 'SIGKILL')
    const idle = await decoding
    expect(idle).not.toBe(busy)
    process.kill(idle, 'SIGKILL')
    expect(await pidOf(decoder.decode(photo))).not.toBe(idle)
  })

  it('happens to the real decoder when its processor time is too short, and it goes on', async () => {
    decoder = new PhotoDecoder({ cpuLimitMs: 1 })
    const large = await sample(3000, 2000).png().toBuffer()
    await expect(decoder.decode(large)).rejects.toMatchObject({ reason: 'unreadable' })
    decoder.close()
    decoder = new PhotoDecoder()
    await expect(decoder.decode(large)).resolves.toMatchObject({ width: 3000 })
  })
})

describe('many photos', () => {
  it('are decoded two at a time', async () => {
    await decoderWith(RECKLESS)
    const pids = await Promise.all(Array.from({ length: 12 }, () => pidOf(decoder.decode(jpeg('wait')))))
    expect(new Set(pids).size).toBe(2)
  })

  it('are refused as busy when too many wait, and taken again later', async () => {
    await decoderWith(RECKLESS, { children: 1, waiting: 3 })
    const accepted = Array.from({ length: 4 }, () => decoder.decode(jpeg('wait')))
    const overload = decoder.decode(photo)
    await expect(overload).rejects.toThrow(PhotoDecoderBusy)
    await expect(overload).rejects.toMatchObject({ retryAfter: 5 })
    await Promise.all(accepted)
    await decoder.decode(photo)
  })
})

describe('the photos of one seller', () => {
  it('wait for each other, while other sellers have their turn', async () => {
    await decoderWith(RECKLESS, { children: 1, waiting: 20 })
    const decoded: string[] = []
    const decode = (owner: string) => decoder.decode(jpeg('wait'), owner).then(() => decoded.push(owner))
    const flood = Array.from({ length: 10 }, () => decode('flooder'))
    await Promise.all([decode('other'), decode('other'), decode('third')])
    expect(decoded.filter((owner) => owner === 'flooder').length).toBeLessThanOrEqual(3)
    await Promise.all(flood)
  })

  it('lose their place when all places are taken and another seller comes', async () => {
    await decoderWith(RECKLESS, { children: 1, waiting: 3 })
    const flood = Array.from({ length: 4 }, () => decoder.decode(jpeg('wait'), 'flooder'))
    const outcomes = Promise.allSettled(flood)
    await expect(decoder.decode(photo, 'other')).resolves.toBeDefined()
    const refused = (await outcomes).map(({ status }) => status)
    expect(refused).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    await expect(flood[3]).rejects.toThrow(PhotoDecoderBusy)
  })
})

describe('the child processes', () => {
  it('are ended after a while without a photo, and started again', async () => {
    await decoderWith(RECKLESS, { idleMs: 100 })
    const pid = await pidOf(decoder.decode(photo))
    expect(lives(pid)).toBe(true)
    await expect.poll(() => lives(pid)).toBe(false)
    expect(await pidOf(decoder.decode(photo))).not.toBe(pid)
  })

  it('are ended by close, and what they did is refused as busy', async () => {
    await decoderWith(RECKLESS, { children: 1 })
    const pid = await pidOf(decoder.decode(photo))
    const both = Promise.allSettled([decoder.decode(jpeg('hang')), decoder.decode(photo)])
    decoder.close()
    for (const outcome of await both) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(PhotoDecoderBusy) })
    }
    await expect(decoder.decode(photo)).rejects.toThrow(PhotoDecoderBusy)
    await expect.poll(() => lives(pid)).toBe(false)
  })

  it('that do not start are no fault of the photo', async () => {
    await decoderWith('process.send({ kind: "broken", why: "no sharp" })')
    await expect(decoder.decode(photo)).rejects.toThrow('The photo decoder does not start: no sharp')
    await decoderWith('process.exit(1)')
    await expect(decoder.decode(photo)).rejects.toThrow('does not start')
  })

  it('get none of the settings and secrets', async () => {
    await decoderWith(`
      process.on('message', () => {
        const image = Buffer.from(JSON.stringify(Object.keys(process.env).sort()))
        process.send({ kind: 'decoded', photo: { image }, rss: 0 })
      })
      process.send({ kind: 'ready' })`)
    const names = JSON.parse((await decoder.decode(photo)).image.toString())
    expect(
      names.filter((name: string) => !/^(MALLOC_.*|UV_THREADPOOL_SIZE|NODE_CHANNEL_.*)$/.test(name)),
    ).toEqual([])
  })
})
