import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

// Photos for tests: red on the left, blue on the right, the upper left corner green, which tells all orientations apart.

const SAMPLE_WIDTH = 64
const SAMPLE_HEIGHT = 48

/** The upright sample, without metadata. */
export function sample(width = SAMPLE_WIDTH, height = SAMPLE_HEIGHT): Sharp {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const corner = x < width / 4 && y < height / 4
      const channel = corner ? 1 : x < width / 2 ? 0 : 2
      data[(y * width + x) * 3 + channel] = 255
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
}

// How to rotate the upright picture so that each EXIF orientation makes it upright again. Each step is encoded separately
// because sharp mirrors and rotates one picture in a fixed order.
const STEPS: Record<number, ((photo: Sharp) => Sharp)[]> = {
  1: [],
  2: [(photo) => photo.flop()],
  3: [(photo) => photo.rotate(180)],
  4: [(photo) => photo.flip()],
  5: [(photo) => photo.rotate(90), (photo) => photo.flop()],
  6: [(photo) => photo.rotate(270)],
  7: [(photo) => photo.rotate(270), (photo) => photo.flop()],
  8: [(photo) => photo.rotate(90)],
}

/** The sample as a rotated camera stores it, with its EXIF orientation. */
export async function rotatedSample(orientation: number): Promise<Buffer> {
  let photo = sample()
  for (const step of STEPS[orientation] ?? []) photo = sharp(await step(photo).png().toBuffer())
  return photo.withMetadata({ orientation }).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
}

/** A PNG of any size with almost no data: a decompression bomb. */
export function pngOfSize(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // One bit per pixel, grayscale.
  header.set([1, 0, 0, 0, 0], 8)
  const data = deflateSync(Buffer.alloc(Math.ceil(width / 8 + 1) * height))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** The name of the color at a position, given as fractions of width and height. */
export async function colorAt(image: Buffer, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(image)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const offset = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  const channels = [...data.subarray(offset, offset + 3)].map((value) =>
    value > 200 ? 1 : value < 80 ? 0 : '?',
  )
  const names: Record<string, string> = {
    '1,0,0': 'red',
    '0,1,0': 'green',
    '0,0,1': 'blue',
    '1,1,1': 'white',
  }
  return names[String(channels)] ?? `rgb(${[...data.subarray(offset, offset + 3)]})`
}

/** The colors of the four corners: `UPRIGHT` for the upright sample. */
export async function corners(image: Buffer): Promise<string[]> {
  const positions: [number, number][] = [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.1, 0.9],
    [0.9, 0.9],
  ]
  return Promise.all(positions.map(([x, y]) => colorAt(image, x, y)))
}

export const UPRIGHT = ['green', 'blue', 'red', 'blue']
