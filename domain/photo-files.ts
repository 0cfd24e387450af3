/** Photos one submission, or one answer to a question, may carry. */
export const MAX_PHOTOS = 10

/** Bytes of one photo as it is sent. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024

/** Width times height of one photo; what decodes to more is refused before it is decoded. */
export const MAX_PHOTO_PIXELS = 40_000_000

/**
 * Fewer pixels for what needs so much memory to be decoded that it would not fit beside the server in 400 MB. A HEIC
 * of tiles, as phones make it, is decoded tile by tile; one in a single piece and AVIF take about 18 bytes a pixel.
 */
export const MAX_HEAVY_PIXELS = { tiledHeic: 25_000_000, wholeHeic: 8_500_000, avif: 6_500_000 }

export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic'

export type PhotoFileType = {
  format: PhotoFormat
  name: string
  mimes: readonly string[]
  extensions: readonly string[]
}

/** The photos that are taken. What the bytes are decides; names and types only help a file picker. */
export const PHOTO_FILE_TYPES: readonly PhotoFileType[] = [
  { format: 'jpeg', name: 'JPEG', mimes: ['image/jpeg'], extensions: ['.jpg', '.jpeg'] },
  { format: 'png', name: 'PNG', mimes: ['image/png'], extensions: ['.png'] },
  { format: 'webp', name: 'WebP', mimes: ['image/webp'], extensions: ['.webp'] },
  { format: 'gif', name: 'GIF', mimes: ['image/gif'], extensions: ['.gif'] },
  { format: 'avif', name: 'AVIF', mimes: ['image/avif'], extensions: ['.avif'] },
  { format: 'heic', name: 'HEIC', mimes: ['image/heic', 'image/heif'], extensions: ['.heic', '.heif'] },
]

/**
 * For the `accept` attribute of a file picker: types and extensions, because many systems do not know the
 * type of HEIC and AVIF files.
 */
export const PHOTO_ACCEPT = PHOTO_FILE_TYPES.flatMap((type) => [...type.mimes, ...type.extensions]).join(',')
