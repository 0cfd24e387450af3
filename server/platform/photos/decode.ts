import sharp, { type OutputInfo, type Sharp, type SharpOptions } from 'sharp'
import { MAX_HEAVY_PIXELS, MAX_PHOTO_PIXELS } from '#domain/photo-files.ts'
import { PhotoRefused } from './errors.ts'
import { likenessOf } from './likeness.ts'
import { sniffPhoto } from './sniff.ts'

/** A photo as it is kept: JPEG without metadata, upright, sRGB. */
export type DecodedPhoto = {
  image: Buffer
  thumbnail: Buffer
  /** Pixels of `image`. */
  width: number
  height: number
  /** By which similar photos are found; undefined for one without detail. */
  likeness: bigint | undefined
}

/** Pixels of the longer side. A 12 megapixel photo, as phones make it, stays as it is. */
const MAX_SIDE = 4096
const THUMBNAIL_SIDE = 320

sharp.cache(false)
sharp.concurrency(1)
// Whatever else libvips can read (SVG, TIFF, its own formats, files by name) is no way in.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((loader) => `VipsForeignLoad${loader}Buffer`),
})

const INPUT: SharpOptions = { limitInputPixels: MAX_PHOTO_PIXELS, failOn: 'error', pages: 1 }

/**
 * Decodes a photo and encodes it anew, so that nothing of the file survives but what is seen. Throws
 * `PhotoRefused`. Only for the child process: hostile bytes may crash what runs this.
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
  // Loaded when it is needed: most children never see a HEIC file, and the decoder takes some 40 MB.
  const { decodeHeic } = await import('./heic.ts')
  const { width, height, data } = await decodeHeic(bytes)
  return sharp(data, { ...INPUT, raw: { width, height, channels: 3 } })
}

async function openOther(bytes: Buffer): Promise<Sharp> {
  // Read without the limit, so that too many pixels can be told from unreadable ones. Only headers are read.
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
    // Optimal Huffman tables save a tenth of the file, for three times the time and 70 MB at 12 megapixels.
    .jpeg({ quality: 85, optimiseCoding: false })
    .toBuffer({ resolveWithObject: true })
  const small = await shrink(image)
  const thumbnail = await rawImage(small).jpeg({ quality: 80, optimiseCoding: false }).toBuffer()
  const likeness = await likenessOf(rawImage(small))
  return { image, thumbnail, width: info.width, height: info.height, likeness }
}

type RawImage = { data: Buffer; info: OutputInfo }

// From the finished image, which libjpeg decodes at an eighth of its size. Its pixels are decoded once, for all that is
// made of them.
function shrink(image: Buffer): Promise<RawImage> {
  return sharp(image)
    .resize({ width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
}

function rawImage({ data, info: { width, height, channels } }: RawImage): Sharp {
  return sharp(data, { raw: { width, height, channels } })
}
