import type { Sharp } from 'sharp'

const WIDTH = 9
const HEIGHT = 8
/** Pixels of a side of what counts as one spot. */
const SPOT = 8
/** Fewer differences than this, or as few the other way round, are a picture of nothing. */
const DETAIL = 4

/**
 * 64 bits that say where a picture gets brighter from left to right ("difference hash"): a photo of it that was
 * shrunk, re-encoded or brightened keeps most of them. Undefined for a picture without detail, which would resemble
 * every other one. As a signed number, as PostgreSQL keeps it.
 * Source: https://www.hackerfactor.com/blog/index.php?/archives/529-Kind-of-Like-That.html
 */
export async function likenessOf(photo: Sharp): Promise<bigint | undefined> {
  const spots = await brightness(photo)
  let bits = 0n
  let brighter = 0
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 1; x < WIDTH; x++) {
      const rises = (spots[y * WIDTH + x] ?? 0) > (spots[y * WIDTH + x - 1] ?? 0)
      bits = (bits << 1n) | (rises ? 1n : 0n)
      if (rises) brighter++
    }
  }
  const detailed = brighter >= DETAIL && brighter <= WIDTH * HEIGHT - HEIGHT - DETAIL
  return detailed ? BigInt.asIntN(64, bits) : undefined
}

/** How bright each spot is. Blurred first: where exactly a shrunk picture was sampled then matters little. */
async function brightness(photo: Sharp): Promise<number[]> {
  const width = WIDTH * SPOT
  const grays = await photo
    .greyscale()
    .resize({ width, height: HEIGHT * SPOT, fit: 'fill' })
    .blur(SPOT / 2)
    .raw()
    .toBuffer()
  const spots = Array.from({ length: WIDTH * HEIGHT }, () => 0)
  for (const [at, gray] of grays.entries()) {
    const spot = Math.floor(at / width / SPOT) * WIDTH + Math.floor((at % width) / SPOT)
    spots[spot] = (spots[spot] ?? 0) + gray
  }
  return spots
}
