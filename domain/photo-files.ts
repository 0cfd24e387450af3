/** Maximum photos of one submission or one answer. */
export const MAX_PHOTOS = 10

/** Maximum photos of one message in the chat. */
export const MAX_CHAT_PHOTOS = 3

/** Maximum bytes of one photo as sent. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024

/** Maximum width times height. Larger photos are refused before they are decoded. */
export const MAX_PHOTO_PIXELS = 40_000_000

/**
 * Lower limits for formats that take more memory: the server and its decoders share 400 MB. AVIF and untiled HEIC take about
 * 18 bytes per pixel to decode. HEIC from phones is tiled and decoded tile by tile.
 */
export const MAX_HEAVY_PIXELS = { tiledHeic: 25_000_000, wholeHeic: 8_500_000, avif: 6_500_000 }

export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic'

type PhotoFileType = {
  format: PhotoFormat
  name: string
  mimes: readonly string[]
  extensions: readonly string[]
}

/** The accepted formats. The server decides by the bytes; names and types only help file pickers. */
const PHOTO_FILE_TYPES: readonly PhotoFileType[] = [
  { format: 'jpeg', name: 'JPEG', mimes: ['image/jpeg'], extensions: ['.jpg', '.jpeg'] },
  { format: 'png', name: 'PNG', mimes: ['image/png'], extensions: ['.png'] },
  { format: 'webp', name: 'WebP', mimes: ['image/webp'], extensions: ['.webp'] },
  { format: 'gif', name: 'GIF', mimes: ['image/gif'], extensions: ['.gif'] },
  { format: 'avif', name: 'AVIF', mimes: ['image/avif'], extensions: ['.avif'] },
  { format: 'heic', name: 'HEIC', mimes: ['image/heic', 'image/heif'], extensions: ['.heic', '.heif'] },
]

/** For `accept` of a file picker: types and extensions, because many systems do not know the types of HEIC and AVIF. */
export const PHOTO_ACCEPT = PHOTO_FILE_TYPES.flatMap((type) => [...type.mimes, ...type.extensions]).join(',')
