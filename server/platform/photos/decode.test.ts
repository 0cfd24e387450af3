import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { likenessOf } from './decode.ts'

/** A picture of random colored tiles. */
function picture(seed: number, { width = 800, height = 500 } = {}) {
  let state = seed
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state % 256
  }
  const tiles = Buffer.from(Array.from({ length: 12 * 8 * 3 }, next))
  return sharp(tiles, { raw: { width: 12, height: 8, channels: 3 } }).resize({ width, height, fit: 'fill' })
}

const jpeg = (photo: Sharp, quality = 85) => photo.jpeg({ quality }).toBuffer()
const likeness = async (bytes: Buffer) => (await likenessOf(sharp(bytes))) ?? 0n

async function distance(a: Buffer, b: Buffer): Promise<number> {
  const difference = BigInt.asUintN(64, (await likeness(a)) ^ (await likeness(b)))
  return difference.toString(2).replaceAll('0', '').length
}

describe('likeness', () => {
  it.each([
    ['re-encoded at a lower quality', (photo: Buffer) => jpeg(sharp(photo), 30)],
    ['shrunk', (photo: Buffer) => jpeg(sharp(photo).resize({ width: 240 }))],
    ['brightened', (photo: Buffer) => jpeg(sharp(photo).linear(1.1, 10))],
    ['grayscale', (photo: Buffer) => jpeg(sharp(photo).greyscale())],
  ])('barely changes for a photo that is %s', async (_name, change) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const photo = await jpeg(picture(seed))
      expect(await distance(photo, await change(photo))).toBeLessThanOrEqual(6)
    }
  })

  it('differs between different pictures', async () => {
    const photos = await Promise.all(Array.from({ length: 20 }, (_, index) => jpeg(picture(index + 1))))
    for (const [index, photo] of photos.entries()) {
      for (const other of photos.slice(index + 1)) expect(await distance(photo, other)).toBeGreaterThan(6)
    }
  })

  it.each(['#000', '#fff', '#8a5a3c'])('is undefined for a plain picture of %s', async (background) => {
    const plain = sharp({ create: { width: 320, height: 200, channels: 3, background } })
    expect(await likenessOf(sharp(await jpeg(plain)))).toBeUndefined()
  })
})
