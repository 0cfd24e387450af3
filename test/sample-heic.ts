import { readFile } from 'node:fs/promises'
import { MAX_PHOTO_PIXELS } from '#domain/photo-files.ts'

// HEIC files like those of phones: a grid of separately coded tiles (ISO/IEC 23008-12, 6.6.2.3). All tiles are the same
// one, which the file contains once.

interface GridOptions {
  readonly width: number
  readonly height: number
  /** Counterclockwise (`irot`). */
  readonly quarterTurns?: number
  /** Left to right, after the rotation (`imir`). */
  readonly mirrored?: boolean
}

/**
 * A file of test/files. `iphone.heic` and `mirrored.heic` are the sample, encoded by libheif's heif-enc with a Display P3
 * profile and EXIF orientation 6, like an iPhone's. The `irot` (or `imir`) property was added, which heif-enc cannot write.
 */
export const heicFile = (name: string): Promise<Buffer> =>
  readFile(new URL(`./files/${name}`, import.meta.url))

/** Pixels. */
const TILE_SIDE = 512

/**
 * A HEIC picture of any size, made of the tile in `test/files/tile.heic`: the sample (red on the left, blue on the right, the
 * upper left corner green), encoded by libheif's heif-enc.
 */
export async function gridHeic(options: GridOptions): Promise<Buffer> {
  const tileFile = await heicFile('tile.heic')
  const { width, height } = options
  const tileSide = TILE_SIDE
  const [columns, rows] = [Math.ceil(width / tileSide), Math.ceil(height / tileSide)]
  if (columns > 256 || rows > 256 || width * height > 4 * MAX_PHOTO_PIXELS)
    throw new Error('Too large a grid')
  const tiles = columns * rows
  const gridId = tiles + 1
  const ids = Array.from({ length: tiles }, (_, index) => index + 1)
  const coded = contentOf(tileFile, 'mdat')
  const grid = Buffer.from([0, 0, rows - 1, columns - 1, ...u16(width), ...u16(height)])

  const properties = [
    box('hvcC', contentOf(tileFile, 'hvcC')),
    full('ispe', 0, [...u32(tileSide), ...u32(tileSide)]),
    full('ispe', 0, [...u32(width), ...u32(height)]),
    ...(options.quarterTurns ? [box('irot', Buffer.from([options.quarterTurns]))] : []),
    ...(options.mirrored ? [box('imir', Buffer.from([1]))] : []),
  ]
  const ofGrid = properties.slice(2).map((_, index) => index + 3)
  const associations = [...ids.map((id) => [id, 1, 2]), [gridId, ...ofGrid]]
  const items = [...ids.map((id) => item(id, 'hvc1', 1)), item(gridId, 'grid', 0)]
  const meta = (codedAt: number) =>
    full('meta', 0, [
      ...full('hdlr', 0, [...u32(0), ...Buffer.from('pict'), ...Buffer.alloc(13)]),
      ...full('pitm', 0, u16(gridId)),
      ...full('iinf', 0, [...u16(items.length), ...items.flatMap((entry) => [...entry])]),
      ...full('iref', 0, [...box('dimg', Buffer.from([...u16(gridId), ...u16(tiles), ...ids.flatMap(u16)]))]),
      ...box(
        'iprp',
        Buffer.concat([
          box('ipco', Buffer.concat(properties)),
          full('ipma', 0, [
            ...u32(associations.length),
            ...associations.flatMap(([id = 0, ...of]) => [...u16(id), of.length, ...of]),
          ]),
        ]),
      ),
      ...full('iloc', 1, [
        0x44,
        0,
        ...u16(items.length),
        ...ids.flatMap((id) => [...u16(id), ...location(0, codedAt, coded.length)]),
        ...u16(gridId),
        ...location(1, 0, grid.length),
      ]),
      ...box('idat', grid),
    ])
  const head = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  const codedAt = head.length + meta(0).length + 8
  return Buffer.concat([head, meta(codedAt), box('mdat', coded)])
}

const u16 = (value: number) => [value >> 8, value & 0xff]
const u32 = (value: number) => [...u16(value >>> 16), ...u16(value & 0xffff)]

/** One extent, by file offset (method 0) or within `idat` (method 1). */
const location = (method: number, offset: number, length: number) => [
  ...u16(method),
  ...u16(0),
  ...u16(1),
  ...u32(offset),
  ...u32(length),
]

const box = (type: string, content: Buffer) =>
  Buffer.concat([Buffer.from(u32(content.length + 8)), Buffer.from(type), content])

const full = (type: string, version: number, content: readonly number[]) =>
  box(type, Buffer.from([version, 0, 0, 0, ...content]))

function item(id: number, type: string, hidden: number): Buffer {
  const entry = full('infe', 2, [...u16(id), 0, 0, ...Buffer.from(type), 0])
  entry[11] = hidden
  return entry
}

/** The content of the first box of a type. */
function contentOf(file: Buffer, type: string): Buffer {
  const start = file.indexOf(type, 0, 'latin1')
  if (start < 4) throw new Error(`No ${type}`)
  return file.subarray(start + 4, start - 4 + file.readUInt32BE(start - 4))
}
