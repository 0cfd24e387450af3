import heicDecode from 'heic-decode'
import { MAX_PHOTO_PIXELS } from '#domain/photo-files.ts'
import { PhotoRefused } from './errors.ts'
import { toSrgb } from './wide-gamut.ts'

/** Four bytes for each pixel: red, green, blue, alpha. */
export type Pixels = { width: number; height: number; data: Uint8ClampedArray }

/**
 * Decodes the picture of a HEIC file, which the libvips that comes with sharp cannot (HEVC is patented).
 * libheif turns it upright by the file's own rotation and mirroring (`irot`, `imir`). The EXIF orientation that
 * iPhones write besides must not be applied again: ISO/IEC 23008-12 says that it is information only.
 */
export async function decodeHeic(bytes: Buffer): Promise<Pixels> {
  const images = await heicDecode.all({ buffer: bytes })
  try {
    const [first] = images
    if (!first) throw new PhotoRefused('unreadable')
    if (first.width * first.height > MAX_PHOTO_PIXELS) throw new PhotoRefused('too_many_pixels')
    const pixels = await first.decode()
    toSrgb(pixels.data, bytes)
    return pixels
  } finally {
    images.dispose()
  }
}
