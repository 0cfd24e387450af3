import { readFile } from 'node:fs/promises'
import { MAX_PHOTO_PIXELS } from '#domain/photo-files.ts'

// HEIC files for tests as phones write them: a grid of tiles that are coded by themselves (ISO/IEC 23008-12, 6.6.2.3).
// All tiles are one and the same, which the file holds once.

interface GridOptions {
  readonly width: number
  readonly height: number
  /** Quarters counter-clockwise (`irot`). */
  readonly turned?: number
  /** Mirrored after that, from left to right (`imir`). */
  readonly mirrored?: boolean
}

/**
 * A file of test/files. `iphone.heic` and `mirrored.heic` are the sample, encoded by libheif's heif-enc with a Display P3
 * profile and EXIF orientation 6, as iPhones do, and then given the `irot` (or `imir`) property that turns it, which
 * heif-enc does not write.
 */
export const heicFile = (name: string): Promise<Buffer> =>
  readFile(new URL(`./files/${name}`, import.meta.url))

/** Pixels of a side of the tile. */
const TILE_SIDE = 512

/**
 * A HEIC picture of any size, made of the one tile that `test/files/tile.heic` holds: the sample (red on the left, blue
 * on the right, the upper left corner green) as libheif's heif-enc wrote it.
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
    ...(options.turned ? [box('irot', Buffer.from([options.turned]))] : []),
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

/** By file offset (0) or within `idat` (1); one extent. */
const location = (method: number, at: number, length: number) => [
  ...u16(method),
  ...u16(0),
  ...u16(1),
  ...u32(at),
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

/** What the first box of a type holds, wherever it stands. */
function contentOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1')
  if (at < 4) throw new Error(`No ${type}`)
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4))
}
