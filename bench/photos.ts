import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { encodeMultipart } from '#test/multipart.ts'
import { PeakMemory } from '#test/peak-memory.ts'
import { submissionParts } from '#test/submissions.ts'
import { type Finding, ms, times } from './findings.ts'
import { type Cost, compare, cpuMs } from './measure/compare.ts'
import { type Call, load } from './measure/load.ts'
import { cardPhotos } from './scan/card-photos.ts'
import type { Limit, Stage } from './stage.ts'

/** Photos by size. */
export interface PhotoFiles {
  readonly folder: string
  readonly paths: Readonly<Record<'small' | 'large', readonly string[]>>
  readonly bytes: Readonly<Record<'small' | 'large', readonly Buffer[]>>
}

/** Two photos of 12 megapixels, and the same ones smaller. */
export async function makePhotos(): Promise<PhotoFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'unspent-bench-photos-'))
  const large: Buffer[] = []
  for await (const { jpeg } of cardPhotos(1)) if (large.push(jpeg) === 2) break
  const small = await Promise.all(
    large.map((jpeg) => sharp(jpeg).resize(1600).jpeg({ quality: 90 }).toBuffer()),
  )
  const bytes = { small, large }
  const write = (size: 'small' | 'large') =>
    Promise.all(
      bytes[size].map(async (photo, index) => {
        const path = join(folder, `${size}-${index}.jpg`)
        await writeFile(path, photo)
        return path
      }),
    )
  return { folder, bytes, paths: { small: await write('small'), large: await write('large') } }
}

/** Compares submissions with photos to decoding, encoding and sealing the photos. */
export async function measurePhotos(stage: Stage, limit: Limit, photos: PhotoFiles): Promise<Finding[]> {
  const [seller] = await stage.sellers(1)
  const submit = (size: 'small' | 'large') => () => submission(seller?.cookie ?? '', photos.bytes[size])
  const processes = { ...stage.product, children: true }
  const beside = (
    size: 'small' | 'large',
    how: 'bare' | 'whole',
    total: number,
    costOf?: (cost: Cost) => number,
  ) =>
    compare(
      { load: { url: stage.url, call: submit(size), total, connections: 1 }, processes },
      {
        load: { url: limit.url, call: () => ({ path: `/photos/${size}/${how}` }), total, connections: 1 },
        processes: { ...limit.processes, children: true },
      },
      costOf,
    )
  const small = await beside('small', 'bare', 10)
  const whole = await beside('small', 'whole', 10)
  const large = await beside('large', 'bare', 3, ({ p50 }) => p50)
  // Separately, because reading the memory takes time.
  const memory = new PeakMemory(stage.product.server)
  await load({ url: stage.url, call: submit('large'), total: 16, connections: 8 })
  memory.stop()
  const cpu = cpuMs(small.product) / cpuMs(small.limit)
  const all = cpuMs(whole.product) / cpuMs(whole.limit)
  const time = large.product.p50 / large.limit.p50
  return [
    {
      what: `submission with two photos of ${megabytes(photos.bytes.small)} MB, CPU`,
      measured: `${ms(cpuMs(small.product))} (${ms(small.product.serverMs)} server and decoders)`,
      limit: `${ms(cpuMs(small.limit))} decoding, encoding, sealing: ${times(cpu)}`,
    },
    {
      what: 'the same, compared with all work on the photos',
      measured: ms(cpuMs(whole.product)),
      limit: `${ms(cpuMs(whole.limit))} with thumbnail and likeness: ${times(all)}`,
      goal: '≤ 1.3×',
      reached: all <= 1.3,
    },
    {
      what: 'submission with two photos of 12 megapixels, until accepted',
      measured: ms(large.product.p50),
      limit: `${ms(large.limit.p50)} decoding and encoding: ${times(time)}`,
    },
    {
      what: 'memory with 8 uploads at once, server and decoders',
      measured: `${memory.peakMb} MB`,
      goal: '≤ 400 MB',
      reached: memory.peakMb <= 400,
    },
  ]
}

export async function removePhotos({ folder }: PhotoFiles): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

const megabytes = ([first]: readonly Buffer[]) => ((first?.length ?? 0) / 1e6).toFixed(1)

function submission(cookie: string, photos: readonly Buffer[]): Call {
  const { payload, contentType } = encodeMultipart(submissionParts({}, photos))
  const headers = { cookie, 'content-type': contentType, 'idempotency-key': randomUUID() }
  return { method: 'POST', path: '/api/gift-cards', headers, body: payload, status: 201 }
}
