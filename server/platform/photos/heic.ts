import libheif from 'libheif-js/wasm-bundle.js'
import { MAX_HEAVY_PIXELS, MAX_PHOTO_PIXELS } from '#domain/photo-files.ts'
import { PhotoRefused } from './errors.ts'
import { converterToSrgb } from './wide-gamut.ts'

/** Three bytes per pixel: red, green, blue. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}

/**
 * Decodes the primary image of a HEIC file, which sharp's libvips cannot (HEVC is patented). libheif applies the file's
 * rotation and mirroring (`irot`, `imir`). Do not apply the EXIF orientation that iPhones write as well: ISO/IEC 23008-12
 * says that it is informational.
 *
 * This calls libheif's C API because its JavaScript API and heic-decode decode the whole image at once: 274 MB for 12
 * megapixels and 394 MB for 24, where decoding tile by tile takes 143 MB and 184 MB.
 *
 * @throws {PhotoRefused}
 */
export async function decodeHeic(bytes: Buffer): Promise<Pixels> {
  await libheif.ready
  const file = new HeifFile(bytes)
  try {
    file.open()
    return decodeImage(file, converterToSrgb(bytes))
  } finally {
    file.close()
  }
}

function decodeImage(file: HeifFile, toSrgb: ToSrgb): Pixels {
  const { width, height } = file
  if (width * height > MAX_PHOTO_PIXELS) throw new PhotoRefused('too_many_pixels')
  if (width * height > MAX_HEAVY_PIXELS.tiledHeic) throw new PhotoRefused('too_heavy')
  const { columns, rows, tileWidth, tileHeight, top, left } = file.tiling
  // Decoding single tiles ignores transparency, which is stored as a separate image.
  const isTiled = columns * rows > 1 && !file.hasAlpha && !file.isCropped
  const decodedAtOnce = isTiled ? tileWidth * tileHeight : width * height
  if (decodedAtOnce > MAX_HEAVY_PIXELS.wholeHeic) throw new PhotoRefused('too_heavy')
  const image = { width, height, data: Buffer.alloc(width * height * 3) }
  if (!isTiled) file.decodeWhole((whole) => paint(image, whole, { left: 0, top: 0, toSrgb }))
  for (let index = 0; isTiled && index < columns * rows; index++) {
    const [column, row] = [index % columns, Math.floor(index / columns)]
    const offset = { left: column * tileWidth - left, top: row * tileHeight - top }
    file.decodeTile(column, row, (tile) => paint(image, tile, { ...offset, toSrgb }))
  }
  return image
}

type ToSrgb = (rgba: Uint8Array) => void

/** Copies a tile into the image on white, and cuts off what is outside the image. */
function paint(
  { width, height, data }: Pixels,
  tile: Tile,
  { left, top, toSrgb }: { left: number; top: number; toSrgb: ToSrgb },
): void {
  const [start, end] = [Math.max(0, -left), Math.min(tile.width, width - left)]
  if (start >= end) return
  for (let y = Math.max(0, -top); y < tile.height && top + y < height; y++) {
    const rgba = tile.row(y).subarray(start * 4, end * 4)
    toSrgb(rgba)
    flattenOnWhite(rgba, data, ((top + y) * width + left + start) * 3)
  }
}

function flattenOnWhite(rgba: Uint8Array, rgb: Buffer, offset: number): void {
  for (let from = 0, to = offset; from + 3 < rgba.length && to + 2 < rgb.length; from += 4, to += 3) {
    const alpha = rgba[from + 3] ?? 255
    const onWhite = (value = 0) => (alpha === 255 ? value : Math.round(255 - ((255 - value) * alpha) / 255))
    rgb[to] = onWhite(rgba[from])
    rgb[to + 1] = onWhite(rgba[from + 1])
    rgb[to + 2] = onWhite(rgba[from + 2])
  }
}

/** Pixels (red, green, blue, alpha) in the memory of libheif. Valid only during the callback. */
interface Tile {
  readonly width: number
  readonly height: number
  row(y: number): Uint8Array
}

// Constants of heif_image.h.
const COLORSPACE_RGB = 1
const CHROMA_INTERLEAVED_RGBA = 11
const CHANNEL_INTERLEAVED = 10

/** The C functions return structs and out parameters by pointer: an error goes here, a result 16 bytes further. */
const SCRATCH_BYTES = 128
const RESULT_OFFSET = 16

/** The primary image of a HEIC file in libheif's memory. Close it: WebAssembly memory is not garbage-collected. */
class HeifFile {
  readonly #bytes: number
  readonly #length: number
  readonly #scratch = libheif._malloc(SCRATCH_BYTES)
  readonly #context = libheif._heif_context_alloc()
  #handle = 0

  constructor(bytes: Buffer) {
    this.#length = bytes.length
    this.#bytes = libheif._malloc(bytes.length)
    libheif.HEAPU8.set(bytes, this.#bytes)
  }

  open(): void {
    this.#call((error) =>
      libheif._heif_context_read_from_memory_without_copy(error, this.#context, this.#bytes, this.#length, 0),
    )
    this.#handle = this.#call((error, result) =>
      libheif._heif_context_get_primary_image_handle(error, this.#context, result),
    )
  }

  get width(): number {
    return libheif._heif_image_handle_get_width(this.#handle)
  }

  get height(): number {
    return libheif._heif_image_handle_get_height(this.#handle)
  }

  get hasAlpha(): boolean {
    return libheif._heif_image_handle_has_alpha_channel(this.#handle) !== 0
  }

  /** Whether the file cuts off its edges (`clap`), apart from the excess of its outer tiles. */
  get isCropped(): boolean {
    const width = libheif._heif_image_handle_get_ispe_width(this.#handle)
    const height = libheif._heif_image_handle_get_ispe_height(this.#handle)
    return width * height !== this.width * this.height
  }

  /** The grid of tiles after rotation. The upper left tile may start `left` and `top` pixels outside the image. */
  get tiling() {
    this.#call((error, result) => libheif._heif_image_handle_get_image_tiling(error, this.#handle, 1, result))
    const field = (index: number) => this.#readInt(this.#scratch + RESULT_OFFSET + index * 4)
    const [columns, rows, tileWidth, tileHeight] = [field(1), field(2), field(3), field(4)]
    // Its documentation calls these the pixels outside the image; libheif 1.23 returns those inside.
    const [insideY, insideX] = [field(7), field(8)]
    const left = insideX === 0 ? 0 : columns * tileWidth - this.width
    const top = insideY === 0 ? 0 : rows * tileHeight - this.height
    return { columns, rows, tileWidth, tileHeight, left, top }
  }

  decodeTile(column: number, row: number, use: (tile: Tile) => void): void {
    const decode = libheif._heif_image_handle_decode_image_tile
    const tile = this.#call((error, result) =>
      decode(error, this.#handle, result, COLORSPACE_RGB, CHROMA_INTERLEAVED_RGBA, 0, column, row),
    )
    this.#use(tile, use)
  }

  /** Takes more than ten bytes per pixel. */
  decodeWhole(use: (whole: Tile) => void): void {
    const decode = libheif._heif_decode_image
    const whole = this.#call((error, result) =>
      decode(error, this.#handle, result, COLORSPACE_RGB, CHROMA_INTERLEAVED_RGBA, 0),
    )
    this.#use(whole, use)
  }

  close(): void {
    if (this.#handle) libheif._heif_image_handle_release(this.#handle)
    libheif._heif_context_free(this.#context)
    libheif._free(this.#scratch)
    libheif._free(this.#bytes)
  }

  #use(image: number, use: (tile: Tile) => void): void {
    try {
      const stridePointer = this.#scratch + RESULT_OFFSET
      const plane = libheif._heif_image_get_plane_readonly(image, CHANNEL_INTERLEAVED, stridePointer)
      if (plane === 0) throw new PhotoRefused('unreadable')
      const stride = this.#readInt(stridePointer)
      const width = libheif._heif_image_get_primary_width(image)
      const height = libheif._heif_image_get_primary_height(image)
      const row = (y: number) => libheif.HEAPU8.subarray(plane + y * stride, plane + y * stride + width * 4)
      use({ width, height, row })
    } finally {
      libheif._heif_image_release(image)
    }
  }

  /** Calls a C function and returns its result, if it has one. Throws `PhotoRefused` on an error. */
  #call(invoke: (error: number, result: number) => void): number {
    invoke(this.#scratch, this.#scratch + RESULT_OFFSET)
    if (this.#readInt(this.#scratch) !== 0) throw new PhotoRefused('unreadable')
    return this.#readInt(this.#scratch + RESULT_OFFSET)
  }

  #readInt(pointer: number): number {
    return new DataView(libheif.HEAPU8.buffer).getInt32(pointer, true)
  }
}
