import type { Sharp } from 'sharp'

const WIDTH = 9
const HEIGHT = 8
/** Fewer differences than this, or as few the other way round, are a picture of nothing. */
const DETAIL = 4

/**
 * 64 bits that say where a picture gets brighter from left to right ("difference hash"): a photo of it that was
 * shrunk, re-encoded or brightened keeps most of them. Undefined for a picture without detail, which would resemble
 * every other one. As a signed number, as PostgreSQL keeps it.
 * Source: https://www.hackerfactor.com/blog/index.php?/archives/529-Kind-of-Like-That.html
 */
export async function likenessOf(photo: Sharp): Promise<bigint | undefined> {
  const grays = await photo.greyscale().resize({ width: WIDTH, height: HEIGHT, fit: 'fill' }).raw().toBuffer()
  let bits = 0n
  let brighter = 0
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 1; x < WIDTH; x++) {
      const here = grays[y * WIDTH + x] ?? 0
      const before = grays[y * WIDTH + x - 1] ?? 0
      bits = (bits << 1n) | (here > before ? 1n : 0n)
      if (here > before) brighter++
    }
  }
  const detailed = brighter >= DETAIL && brighter <= 64 - DETAIL
  return detailed ? BigInt.asIntN(64, bits) : undefined
}
