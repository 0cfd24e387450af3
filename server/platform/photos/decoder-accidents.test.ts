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
// A worker that misbehaves on command: the text after the first bytes of a JPEG says how.
const jpeg = (command: string) => Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from(command)])
const MISBEHAVING = `
  const answer = { kind: 'decoded', photo: { image: Buffer.from(String(process.pid)) }, rss: 0 }
  process.on('message', (bytes) => {
    const command = Buffer.from(bytes).toString('latin1', 3)
    if (command === 'crash') process.abort()
    if (command === 'exit') process.exit(0)
    if (command === 'hang') while (true);
    if (command === 'stall') return
    if (command === 'swell') process.send({ ...answer, rss: 1e9 })
    else if (command === 'wait') setTimeout(() => process.send(answer), 100)
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

const isAlive = (pid: number) => {
  try {
    return !/\) Z /.test(execFileSync('cat', [`/proc/${pid}/stat`], { encoding: 'utf8', stdio: 'pipe' }))
  } catch {
    return false
  }
}

describe('an accident', () => {
  it.each(['crash', 'exit'])(
    'of the kind %s refuses the photo and the next one is decoded',
    async (command) => {
      await decoderWith(MISBEHAVING, { children: 1 })
      const before = await pidOf(decoder.decode(photo))
      await expect(decoder.decode(jpeg(command))).rejects.toMatchObject({ reason: 'unreadable' })
      const after = await pidOf(decoder.decode(photo))
      expect(after).not.toBe(before)
    },
  )

  it('of a hanging photo ends when its processor time is up, and the next one is decoded', async () => {
    await decoderWith(MISBEHAVING, { children: 1, cpuLimitMs: 300 })
    const pid = await pidOf(decoder.decode(photo))
    const hanging = decoder.decode(jpeg('hang'))
    const behind = decoder.decode(photo)
    await expect(hanging).rejects.toThrow(PhotoRefused)
    expect(await pidOf(behind)).not.toBe(pid)
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('of a stalled process reports busy, not an unreadable photo, and the next one is decoded', async () => {
    await decoderWith(MISBEHAVING, { children: 1, timeLimitMs: 300 })
    const pid = await pidOf(decoder.decode(photo))
    const waiting = decoder.decode(jpeg('stall'))
    const behind = decoder.decode(photo)
    await expect(waiting).rejects.toThrow(PhotoDecoderBusy)
    expect(await pidOf(behind)).not.toBe(pid)
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('of a process that keeps too much memory replaces it', async () => {
    await decoderWith(MISBEHAVING, { children: 1 })
    const large = await pidOf(decoder.decode(jpeg('swell')))
    expect(await pidOf(decoder.decode(photo))).not.toBe(large)
    await expect.poll(() => isAlive(large)).toBe(false)
  })

  it('of a process killed from outside, busy or idle, loses no photo', async () => {
    await decoderWith(MISBEHAVING, { children: 1 })
    const busy = await pidOf(decoder.decode(photo))
    const decoding = pidOf(decoder.decode(jpeg('wait')))
    process.kill(busy, 'SIGKILL')
    const idle = await decoding
    expect(idle).not.toBe(busy)
    process.kill(idle, 'SIGKILL')
    expect(await pidOf(decoder.decode(photo))).not.toBe(idle)
  })

  it('of the real decoder is survived', async () => {
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
    await decoderWith(MISBEHAVING)
    const pids = await Promise.all(Array.from({ length: 12 }, () => pidOf(decoder.decode(jpeg('wait')))))
    expect(new Set(pids).size).toBe(2)
  })

  it('are rejected as busy while too many wait, and accepted later', async () => {
    await decoderWith(MISBEHAVING, { children: 1, waiting: 3 })
    const accepted = Array.from({ length: 4 }, () => decoder.decode(jpeg('wait')))
    const overload = decoder.decode(photo)
    await expect(overload).rejects.toThrow(PhotoDecoderBusy)
    await expect(overload).rejects.toMatchObject({ retryAfter: 5 })
    await Promise.all(accepted)
    await decoder.decode(photo)
  })
})

describe('the photos of one seller', () => {
  it('do not delay other sellers', async () => {
    await decoderWith(MISBEHAVING, { children: 1, waiting: 20 })
    const decoded: string[] = []
    const decode = (owner: string) => decoder.decode(jpeg('wait'), owner).then(() => decoded.push(owner))
    const flood = Array.from({ length: 10 }, () => decode('flooder'))
    await Promise.all([decode('other'), decode('other'), decode('third')])
    expect(decoded.filter((owner) => owner === 'flooder').length).toBeLessThanOrEqual(3)
    await Promise.all(flood)
  })

  it('lose their position in a full queue to another seller', async () => {
    await decoderWith(MISBEHAVING, { children: 1, waiting: 3 })
    const flood = Array.from({ length: 4 }, () => decoder.decode(jpeg('wait'), 'flooder'))
    const outcomes = Promise.allSettled(flood)
    await expect(decoder.decode(photo, 'other')).resolves.toBeDefined()
    const refused = (await outcomes).map(({ status }) => status)
    expect(refused).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    await expect(flood[3]).rejects.toThrow(PhotoDecoderBusy)
  })
})

describe('the child processes', () => {
  it('end when idle and start again on demand', async () => {
    await decoderWith(MISBEHAVING, { idleMs: 100 })
    const pid = await pidOf(decoder.decode(photo))
    expect(isAlive(pid)).toBe(true)
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(await pidOf(decoder.decode(photo))).not.toBe(pid)
  })

  it('end on close, and their photos are rejected as busy', async () => {
    await decoderWith(MISBEHAVING, { children: 1 })
    const pid = await pidOf(decoder.decode(photo))
    const both = Promise.allSettled([decoder.decode(jpeg('hang')), decoder.decode(photo)])
    decoder.close()
    for (const outcome of await both) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(PhotoDecoderBusy) })
    }
    await expect(decoder.decode(photo)).rejects.toThrow(PhotoDecoderBusy)
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('that do not start are not blamed on the photo', async () => {
    await decoderWith('process.send({ kind: "broken", why: "no sharp" })')
    await expect(decoder.decode(photo)).rejects.toThrow('The photo decoder does not start: no sharp')
    await decoderWith('process.exit(1)')
    await expect(decoder.decode(photo)).rejects.toThrow('does not start')
  })

  it('get no settings and secrets', async () => {
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
