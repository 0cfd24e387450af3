import type { Sharp } from 'sharp'

const WIDTH = 9
const HEIGHT = 8
/** Pixels per side of a cell. */
const CELL = 8
/** A picture with fewer bits set or unset than this shows no detail. */
const MIN_DETAIL = 4

/**
 * The difference hash of a picture: 64 bits, each of which says whether a cell is brighter than its left neighbor. Shrinking,
 * re-encoding or brightening keeps most of them. A signed number, for PostgreSQL. Undefined for a picture without detail,
 * which would resemble every other one.
 * Source: https://www.hackerfactor.com/blog/index.php?/archives/529-Kind-of-Like-That.html
 */
export async function likenessOf(photo: Sharp): Promise<bigint | undefined> {
  const cells = await cellBrightness(photo)
  let bits = 0n
  let brighter = 0
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 1; x < WIDTH; x++) {
      const rises = (cells[y * WIDTH + x] ?? 0) > (cells[y * WIDTH + x - 1] ?? 0)
      bits = (bits << 1n) | (rises ? 1n : 0n)
      if (rises) brighter++
    }
  }
  const hasDetail = brighter >= MIN_DETAIL && brighter <= 64 - MIN_DETAIL
  return hasDetail ? BigInt.asIntN(64, bits) : undefined
}

/** Blurs first, so that it matters little where exactly a shrunk picture was sampled. */
async function cellBrightness(photo: Sharp): Promise<number[]> {
  const width = WIDTH * CELL
  const grays = await photo
    .greyscale()
    .resize({ width, height: HEIGHT * CELL, fit: 'fill' })
    .blur(CELL / 2)
    .raw()
    .toBuffer()
  const cells = Array.from({ length: WIDTH * HEIGHT }, () => 0)
  for (const [index, gray] of grays.entries()) {
    const cell = Math.floor(index / width / CELL) * WIDTH + Math.floor((index % width) / CELL)
    cells[cell] = (cells[cell] ?? 0) + gray
  }
  return cells
}
