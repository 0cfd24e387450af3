import sharp, { type OutputInfo, type Sharp, type SharpOptions } from 'sharp'
import { MAX_HEAVY_PIXELS, MAX_PHOTO_PIXELS } from '#domain/photo-files.ts'
import { PhotoRefused } from './errors.ts'
import { sniffPhoto } from './sniff.ts'

/** A photo ready to store: JPEG, upright, sRGB, without metadata. */
export type DecodedPhoto = {
  image: Buffer
  thumbnail: Buffer
  /** Pixels of `image`. */
  width: number
  height: number
  /** See `likenessOf`. */
  likeness: bigint | undefined
}

/** Pixels of the longer side. A phone's 12 megapixels are not resized. */
const MAX_SIDE = 4096
const THUMBNAIL_SIDE = 320

sharp.cache(false)
sharp.concurrency(1)
// Everything else that libvips can load (SVG, TIFF, its own formats, files by name) stays blocked.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((loader) => `VipsForeignLoad${loader}Buffer`),
})

const INPUT: SharpOptions = { limitInputPixels: MAX_PHOTO_PIXELS, failOn: 'error', pages: 1 }

/**
 * Decodes and re-encodes a photo, so that only its pixels survive. Run it in a child process only: hostile bytes may crash it.
 *
 * @throws {PhotoRefused}
 */
export async function decodePhoto(bytes: Buffer): Promise<DecodedPhoto> {
  const format = sniffPhoto(bytes)
  if (!format) throw new PhotoRefused('not_an_image')
  try {
    return await encode(format === 'heic' ? await openHeic(bytes) : await openOther(bytes))
  } catch (error) {
    throw error instanceof PhotoRefused ? error : new PhotoRefused('unreadable')
  }
}

async function openHeic(bytes: Buffer): Promise<Sharp> {
  // Loaded on demand: libheif takes about 40 MB, and most processes never see a HEIC file.
  const { decodeHeic } = await import('./heic.ts')
  const { width, height, data } = await decodeHeic(bytes)
  return sharp(data, { ...INPUT, raw: { width, height, channels: 3 } })
}

async function openOther(bytes: Buffer): Promise<Sharp> {
  // Ignores the limit, to tell too many pixels from an unreadable file. This reads headers only.
  const { width, height, format } = await sharp(bytes, { ...INPUT, limitInputPixels: false }).metadata()
  if (width * height > MAX_PHOTO_PIXELS) throw new PhotoRefused('too_many_pixels')
  if (format === 'heif' && width * height > MAX_HEAVY_PIXELS.avif) throw new PhotoRefused('too_heavy')
  return sharp(bytes, INPUT)
}

async function encode(photo: Sharp): Promise<DecodedPhoto> {
  const { data: image, info } = await photo
    .autoOrient()
    .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    // Optimized Huffman tables make files a tenth smaller but take three times as long and 70 MB at 12 megapixels.
    .jpeg({ quality: 85, optimiseCoding: false })
    .toBuffer({ resolveWithObject: true })
  const small = await shrink(image)
  const thumbnail = await rawImage(small).jpeg({ quality: 80, optimiseCoding: false }).toBuffer()
  const likeness = await likenessOf(rawImage(small))
  return { image, thumbnail, width: info.width, height: info.height, likeness }
}

type RawImage = { data: Buffer; info: OutputInfo }

/** Shrinks the finished image, which libjpeg decodes at an eighth of its size. */
function shrink(image: Buffer): Promise<RawImage> {
  return sharp(image)
    .resize({ width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
}

function rawImage({ data, info: { width, height, channels } }: RawImage): Sharp {
  return sharp(data, { raw: { width, height, channels } })
}

const COLUMNS = 9
const ROWS = 8
/** Pixels per side of a cell. */
const CELL = 8
/** A picture with fewer bits set or unset than this shows no detail. */
const MIN_DETAIL = 4

/**
 * The difference hash of a picture: 64 bits, each set if a cell is brighter than its left neighbor. Shrinking,
 * re-encoding or brightening keeps most of them. A signed number, for PostgreSQL. Undefined for a picture without detail,
 * which would resemble every other one.
 * Source: https://www.hackerfactor.com/blog/index.php?/archives/529-Kind-of-Like-That.html
 */
export async function likenessOf(photo: Sharp): Promise<bigint | undefined> {
  const cells = await cellBrightness(photo)
  let bits = 0n
  let brighter = 0
  for (let y = 0; y < ROWS; y++) {
    for (let x = 1; x < COLUMNS; x++) {
      const rises = (cells[y * COLUMNS + x] ?? 0) > (cells[y * COLUMNS + x - 1] ?? 0)
      bits = (bits << 1n) | (rises ? 1n : 0n)
      if (rises) brighter++
    }
  }
  const hasDetail = brighter >= MIN_DETAIL && brighter <= 64 - MIN_DETAIL
  return hasDetail ? BigInt.asIntN(64, bits) : undefined
}

/** Blurs first, so that it matters little where exactly a shrunk picture was sampled. */
async function cellBrightness(photo: Sharp): Promise<number[]> {
  const width = COLUMNS * CELL
  const grays = await photo
    .greyscale()
    .resize({ width, height: ROWS * CELL, fit: 'fill' })
    .blur(CELL / 2)
    .raw()
    .toBuffer()
  const cells = Array.from({ length: COLUMNS * ROWS }, () => 0)
  for (const [index, gray] of grays.entries()) {
    const cell = Math.floor(index / width / CELL) * COLUMNS + Math.floor((index % width) / CELL)
    cells[cell] = (cells[cell] ?? 0) + gray
  }
  return cells
}
