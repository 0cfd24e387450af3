import libheif, { type HeifImage } from 'libheif-js/wasm-bundle.js'
import { MAX_PHOTO_PIXELS } from '#domain/photo-files.ts'
import { PhotoRefused } from './errors.ts'
import { converterToSrgb } from './wide-gamut.ts'

/** Three bytes for each pixel: red, green, blue. */
export type Pixels = { width: number; height: number; data: Buffer }

/**
 * Decodes the picture of a HEIC file, which the libvips that comes with sharp cannot (HEVC is patented).
 * libheif turns it upright by the file's own rotation and mirroring (`irot`, `imir`). The EXIF orientation that
 * iPhones write besides must not be applied again: ISO/IEC 23008-12 says that it is information only.
 */
export async function decodeHeic(bytes: Buffer): Promise<Pixels> {
  await libheif.ready
  const decoder = new libheif.HeifDecoder()
  const images = decoder.decode(bytes)
  try {
    const [first] = images
    if (!first) throw new PhotoRefused('unreadable')
    const [width, height] = [first.get_width(), first.get_height()]
    if (width * height > MAX_PHOTO_PIXELS) throw new PhotoRefused('too_many_pixels')
    return { width, height, data: await pixelsOf(first, { width, height, bytes }) }
  } finally {
    for (const image of images) image.free()
    decoder.decoder?.delete()
  }
}

type Size = { width: number; height: number; bytes: Buffer }

// Straight from the decoder's memory into the three bytes that are wanted: at 24 megapixels a copy with alpha would
// be 100 MB more.
function pixelsOf(image: HeifImage, { width, height, bytes }: Size): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3)
  const toSrgb = converterToSrgb(bytes)
  const sink = {
    set(rgba: Uint8Array, at = 0) {
      toSrgb(rgba)
      layOnWhite(rgba, data, (at / 4) * 3)
    },
  }
  return new Promise((resolve, reject) => {
    const done = (decoded: object | null) => {
      if (decoded) resolve(data)
      else reject(new PhotoRefused('unreadable'))
    }
    image.display({ data: sink, width, height }, done)
  })
}

function layOnWhite(rgba: Uint8Array, rgb: Buffer, at: number): void {
  for (let from = 0, to = at; from + 3 < rgba.length && to + 2 < rgb.length; from += 4, to += 3) {
    const alpha = rgba[from + 3] ?? 255
    const onWhite = (value = 0) => (alpha === 255 ? value : Math.round(255 - ((255 - value) * alpha) / 255))
    rgb[to] = onWhite(rgba[from])
    rgb[to + 1] = onWhite(rgba[from + 1])
    rgb[to + 2] = onWhite(rgba[from + 2])
  }
}
