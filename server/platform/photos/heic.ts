import libheif from 'libheif-js/wasm-bundle.js'
import { MAX_HEAVY_PIXELS, MAX_PHOTO_PIXELS } from '#domain/photo-files.ts'
import { PhotoRefused } from './errors.ts'
import { HeifFile, type Piece } from './libheif.ts'
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
  const file = new HeifFile(bytes)
  try {
    file.open()
    return paintedFrom(file, converterToSrgb(bytes))
  } finally {
    file.close()
  }
}

function paintedFrom(file: HeifFile, toSrgb: ToSrgb): Pixels {
  const { width, height } = file
  if (width * height > MAX_PHOTO_PIXELS) throw new PhotoRefused('too_many_pixels')
  if (width * height > MAX_HEAVY_PIXELS.tiledHeic) throw new PhotoRefused('too_heavy')
  const { columns, rows, tileWidth, tileHeight, top, left } = file.tiling
  // Transparency stands in a picture of its own, which the tiles do without.
  const inTiles = columns * rows > 1 && !file.hasAlpha && !file.isCropped
  const piece = inTiles ? tileWidth * tileHeight : width * height
  if (piece > MAX_HEAVY_PIXELS.wholeHeic) throw new PhotoRefused('too_heavy')
  const picture = { width, height, data: Buffer.alloc(width * height * 3) }
  const paint = painter(picture, toSrgb)
  if (!inTiles) file.whole((whole) => paint(whole, 0, 0))
  for (let at = 0; inTiles && at < columns * rows; at++) {
    const [column, row] = [at % columns, Math.floor(at / columns)]
    file.tile(column, row, (tile) => paint(tile, column * tileWidth - left, row * tileHeight - top))
  }
  return picture
}

type ToSrgb = (rgba: Uint8Array) => void

/** Paints pieces into a picture: what lies outside of it is left out, what shines through is laid on white. */
function painter({ width, height, data }: Pixels, toSrgb: ToSrgb) {
  return (piece: Piece, left: number, top: number) => {
    const [first, end] = [Math.max(0, -left), Math.min(piece.width, width - left)]
    for (let y = Math.max(0, -top); y < piece.height && top + y < height; y++) {
      if (first >= end) return
      const rgba = piece.row(y).subarray(first * 4, end * 4)
      toSrgb(rgba)
      layOnWhite(rgba, data, ((top + y) * width + left + first) * 3)
    }
  }
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
