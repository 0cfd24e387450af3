import libheif from 'libheif-js/wasm-bundle.js'
import { PhotoRefused } from './errors.ts'

// The numbers of libheif's C interface (heif_image.h, heif_tiling.h).
const RGB = 1
const INTERLEAVED_RGBA = 11
const INTERLEAVED = 10
const SCRATCH_BYTES = 128

/** How a picture is cut, after it was turned upright: the upper left tile may begin outside of it. */
export interface Tiling {
  readonly columns: number
  readonly rows: number
  readonly tileWidth: number
  readonly tileHeight: number
  /** Pixels of the upper left tile that lie outside. */
  readonly left: number
  readonly top: number
}

/** Pixels within the decoder's memory: red, green, blue, alpha. They are gone with the next call. */
export interface Piece {
  readonly width: number
  readonly height: number
  row(y: number): Uint8Array
}

/** The main picture of a HEIC file. Turned upright by the file's own rotation and mirroring (`irot`, `imir`). */
export class HeifFile {
  readonly #length: number
  readonly #bytes: number
  readonly #scratch: number
  readonly #context: number
  #handle = 0

  constructor(bytes: Buffer) {
    this.#length = bytes.length
    this.#bytes = libheif._malloc(bytes.length)
    libheif.HEAPU8.set(bytes, this.#bytes)
    this.#scratch = libheif._malloc(SCRATCH_BYTES)
    this.#context = libheif._heif_context_alloc()
  }

  /** Throws `PhotoRefused` when there is no picture, as everything that follows does when it cannot be decoded. */
  open(): void {
    const [context, bytes, length] = [this.#context, this.#bytes, this.#length]
    this.#try((error) =>
      libheif._heif_context_read_from_memory_without_copy(error, context, bytes, length, 0),
    )
    this.#handle = this.#made((error, at) =>
      libheif._heif_context_get_primary_image_handle(error, this.#context, at),
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

  /** Whether a part was cut off its edges (`clap`) beside what the tiles have too much. */
  get isCropped(): boolean {
    const width = libheif._heif_image_handle_get_ispe_width(this.#handle)
    const height = libheif._heif_image_handle_get_ispe_height(this.#handle)
    return width * height !== this.width * this.height
  }

  get tiling(): Tiling {
    const at = this.#scratch + 16
    this.#try((error) => libheif._heif_image_handle_get_image_tiling(error, this.#handle, 1, at))
    const field = (index: number) => this.#read(at + index * 4)
    const [columns, rows, tileWidth, tileHeight] = [field(1), field(2), field(3), field(4)]
    // libheif 1.23 says how much of the tile lies inside, where its interface promises how much lies outside.
    const [insideY, insideX] = [field(7), field(8)]
    const left = insideX === 0 ? 0 : columns * tileWidth - this.width
    const top = insideY === 0 ? 0 : rows * tileHeight - this.height
    return { columns, rows, tileWidth, tileHeight, left, top }
  }

  /** Decodes one tile and hands it on. */
  tile(column: number, row: number, use: (piece: Piece) => void): void {
    const image = this.#made((error, at) =>
      libheif._heif_image_handle_decode_image_tile(
        error,
        this.#handle,
        at,
        RGB,
        INTERLEAVED_RGBA,
        0,
        column,
        row,
      ),
    )
    this.#use(image, use)
  }

  /** Decodes the whole picture at once, which takes more than ten bytes for each pixel, and hands it on. */
  whole(use: (piece: Piece) => void): void {
    const image = this.#made((error, at) =>
      libheif._heif_decode_image(error, this.#handle, at, RGB, INTERLEAVED_RGBA, 0),
    )
    this.#use(image, use)
  }

  close(): void {
    if (this.#handle) libheif._heif_image_handle_release(this.#handle)
    libheif._heif_context_free(this.#context)
    libheif._free(this.#scratch)
    libheif._free(this.#bytes)
  }

  #use(image: number, use: (piece: Piece) => void): void {
    const strideAt = this.#scratch + 16
    try {
      const plane = libheif._heif_image_get_plane_readonly(image, INTERLEAVED, strideAt)
      if (plane === 0) throw new PhotoRefused('unreadable')
      const stride = this.#read(strideAt)
      const width = libheif._heif_image_get_primary_width(image)
      const height = libheif._heif_image_get_primary_height(image)
      const row = (y: number) => libheif.HEAPU8.subarray(plane + y * stride, plane + y * stride + width * 4)
      use({ width, height, row })
    } finally {
      libheif._heif_image_release(image)
    }
  }

  /** What a call writes at the place that it is given. */
  #made(call: (error: number, at: number) => void): number {
    const at = this.#scratch + 16
    this.#try((error) => call(error, at))
    return this.#read(at)
  }

  #try(call: (error: number) => void): void {
    call(this.#scratch)
    if (this.#read(this.#scratch) !== 0) throw new PhotoRefused('unreadable')
  }

  #read(at: number): number {
    const { HEAPU8 } = libheif
    return new DataView(HEAPU8.buffer).getInt32(at, true)
  }
}
