import sharp from 'sharp'
import { gridHeic, heicFile } from '#test/sample-heic.ts'
import { pngOfSize, sample } from '#test/sample-photos.ts'

/** A text in all metadata of a photo. */
export const TELLTALE = 'Telltale'

const telling = () =>
  sample(96, 72)
    .withExif({
      IFD0: { Make: TELLTALE, Copyright: TELLTALE, ImageDescription: TELLTALE },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '48/1 8/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '11/1 34/1 0/1',
      },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${TELLTALE}</x:xmpmeta>`)
    .withIccProfile('p3')

async function animated(format: 'gif' | 'webp'): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 32, height: 32, channels: 3, background } })
      .png()
      .toBuffer()
  const frames = await Promise.all(['#f00', '#0f0', '#00f'].map(frame))
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
}

export type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic'

/** Valid files of each format and its variants, to be mutated. */
export const seedFiles: Readonly<Record<Format, () => Promise<Buffer[]>>> = {
  jpeg: () =>
    Promise.all([
      telling().jpeg().toBuffer(),
      telling().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
      sample().toColourspace('cmyk').jpeg().toBuffer(),
      sample().greyscale().jpeg({ optimiseCoding: true }).toBuffer(),
    ]),
  png: () =>
    Promise.all([
      telling().png().toBuffer(),
      sample().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
      sample().png({ palette: true }).toBuffer(),
      sample().ensureAlpha(0.5).png().toBuffer(),
    ]),
  webp: () =>
    Promise.all([
      telling().webp().toBuffer(),
      telling().webp({ lossless: true }).toBuffer(),
      sample().ensureAlpha(0.5).webp().toBuffer(),
      animated('webp'),
    ]),
  gif: () => Promise.all([sample().gif().toBuffer(), animated('gif')]),
  avif: () =>
    Promise.all([
      telling().avif({ effort: 0 }).toBuffer(),
      sample().ensureAlpha(0.5).avif({ effort: 0 }).toBuffer(),
    ]),
  heic: () =>
    Promise.all([
      heicFile('iphone.heic'),
      heicFile('mirrored.heic'),
      gridHeic({ width: 700, height: 900, quarterTurns: 3 }),
    ]),
}

const SCRIPT = '<script>alert(document.domain)</script>'
const svg = (inside: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`)

/** Polyglots, decompression bombs, and files that fetch others, and whether each may be accepted. */
export async function trickFiles(): Promise<{ name: string; bytes: Buffer; accepted: boolean }[]> {
  const jpeg = await telling().jpeg().toBuffer()
  const png = await telling().png().toBuffer()
  const gif = await sample().gif().toBuffer()
  const wide = await sharp({ create: { width: 16_000, height: 2500, channels: 3, background: '#888' } })
    .jpeg({ quality: 30 })
    .toBuffer()
  const cmyk = await sharp({ create: { width: 5000, height: 4000, channels: 3, background: '#888' } })
    .toColourspace('cmyk')
    .jpeg({ quality: 30, progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return [
    { name: 'SVG', bytes: svg(SCRIPT), accepted: false },
    { name: 'SVG that fetches', bytes: svg('<image href="http://127.0.0.1:9/x"/>'), accepted: false },
    {
      name: 'SVG with an entity',
      bytes: Buffer.from(`<!DOCTYPE s [<!ENTITY e SYSTEM "file:///etc/passwd">]><svg>&e;</svg>`),
      accepted: false,
    },
    { name: 'HTML', bytes: Buffer.from(`<!doctype html>${SCRIPT}`), accepted: false },
    { name: 'JPEG before SVG', bytes: Buffer.concat([jpeg, svg(SCRIPT)]), accepted: true },
    {
      name: 'GIF before a script',
      bytes: Buffer.concat([gif, Buffer.from(`/*${SCRIPT}*/`)]),
      accepted: true,
    },
    {
      name: 'PNG before a ZIP',
      bytes: Buffer.concat([png, Buffer.from('504b0304', 'hex'), Buffer.from(TELLTALE)]),
      accepted: true,
    },
    { name: 'GIF header before a script', bytes: Buffer.from(`GIF89a/*${SCRIPT}*/`), accepted: false },
    { name: 'JPEG with a script as comment', bytes: withComment(jpeg, SCRIPT), accepted: true },
    {
      name: 'PostScript in a JPEG',
      bytes: Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from('%!PS\n(x) print')]),
      accepted: false,
    },
    { name: 'PNG of 400 megapixels', bytes: pngOfSize(20_000, 20_000), accepted: false },
    { name: 'PNG of 4 gigapixels', bytes: lyingPng(65_535, 65_535), accepted: false },
    { name: 'PNG of maximum width', bytes: lyingPng(0x7fff_ffff, 1), accepted: false },
    // The decoder uses the size of the image, not of the screen in the header.
    { name: 'GIF of 4 gigapixels', bytes: lyingGif(gif), accepted: true },
    { name: 'JPEG of 40 megapixels', bytes: wide, accepted: true },
    // The coefficients alone would take 160 MB.
    { name: 'progressive CMYK of 20 megapixels', bytes: cmyk, accepted: false },
    { name: 'HEIC of 24 megapixels', bytes: await gridHeic({ width: 5712, height: 4284 }), accepted: true },
    { name: 'animated GIF', bytes: await animated('gif'), accepted: true },
    { name: 'animated WebP', bytes: await animated('webp'), accepted: true },
    { name: '16 bit PNG', bytes: await sample().toColourspace('rgb16').png().toBuffer(), accepted: true },
    { name: 'TIFF', bytes: await sample().tiff().toBuffer(), accepted: false },
    { name: 'JPEG cut off after its header', bytes: jpeg.subarray(0, 40), accepted: false },
    { name: 'empty file', bytes: Buffer.alloc(0), accepted: false },
  ]
}

function withComment(jpeg: Buffer, comment: string): Buffer {
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, comment.length + 2])
  return Buffer.concat([head, Buffer.from(comment), jpeg.subarray(2)])
}

function lyingPng(width: number, height: number): Buffer {
  const small = pngOfSize(8, 8)
  const lying = Buffer.from(small)
  lying.writeUInt32BE(width, 16)
  lying.writeUInt32BE(height, 20)
  return lying
}

function lyingGif(gif: Buffer): Buffer {
  const lying = Buffer.from(gif)
  lying.writeUInt16LE(65_535, 6)
  lying.writeUInt16LE(65_535, 8)
  return lying
}
