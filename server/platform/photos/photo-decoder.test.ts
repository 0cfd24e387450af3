import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { gridHeic, heicFile } from '#test/sample-heic.ts'
import { colorAt, corners, pngOfSize, rotatedSample, sample, UPRIGHT } from '#test/sample-photos.ts'
import { PhotoRefused } from './errors.ts'
import { PhotoDecoder } from './photo-decoder.ts'

const decoder = new PhotoDecoder()
afterAll(() => decoder.close())

const POSITIONS: [number, number][] = [0.03, 0.2, 0.35, 0.6, 0.8, 0.97].flatMap((x) =>
  [0.05, 0.3, 0.65, 0.95].map((y): [number, number] => [x, y]),
)

const bigEndian = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const reasonOf = (bytes: Buffer) =>
  decoder.decode(bytes).then(
    () => 'taken',
    (error) => (error instanceof PhotoRefused ? error.reason : String(error)),
  )

describe('an accepted photo', () => {
  it.each([
    ['JPEG', () => sample().jpeg({ quality: 95, chromaSubsampling: '4:4:4' })],
    ['progressive JPEG', () => sample().jpeg({ quality: 95, progressive: true })],
    ['PNG', () => sample().png()],
    ['16 bit PNG', () => sample().toColourspace('rgb16').png()],
    ['palette PNG', () => sample().png({ palette: true })],
    ['WebP', () => sample().webp({ lossless: true })],
    ['GIF', () => sample().gif()],
    ['AVIF', () => sample().avif({ quality: 90, chromaSubsampling: '4:4:4' })],
  ])('may be a %s', async (_, make) => {
    const decoded = await decoder.decode(await make().toBuffer())
    expect([decoded.width, decoded.height]).toEqual([64, 48])
    expect(await corners(decoded.image)).toEqual(UPRIGHT)
    expect(await corners(decoded.thumbnail)).toEqual(UPRIGHT)
    const { format, depth, space } = await sharp(decoded.image).metadata()
    expect({ format, depth, space }).toEqual({ format: 'jpeg', depth: 'uchar', space: 'srgb' })
  })

  it.each([
    ['red', '#f00'],
    ['white', '#fff'],
  ])('may be a CMYK JPEG, whose %s is kept', async (name, background) => {
    const ink = sharp({ create: { width: 32, height: 32, channels: 3, background } }).toColourspace('cmyk')
    const decoded = await decoder.decode(await ink.jpeg({ quality: 98 }).toBuffer())
    expect(await colorAt(decoded.image, 0.5, 0.5)).toBe(name)
  })

  it('may be grayscale', async () => {
    const decoded = await decoder.decode(await sample().toColourspace('b-w').png().toBuffer())
    expect((await sharp(decoded.image).metadata()).format).toBe('jpeg')
  })

  it('may be a HEIC from an iPhone, rotated by the file and not again by EXIF', async () => {
    const heic = await heicFile('iphone.heic')
    expect(heic.includes('iPhone')).toBe(true)
    const decoded = await decoder.decode(heic)
    expect([decoded.width, decoded.height]).toEqual([48, 64])
    // The sample, rotated a quarter clockwise.
    expect(await corners(decoded.image)).toEqual(['red', 'green', 'blue', 'blue'])
    expect(decoded.image.includes('Exif')).toBe(false)
  })

  it('may be a mirrored HEIC', async () => {
    const decoded = await decoder.decode(await heicFile('mirrored.heic'))
    expect(await corners(decoded.image)).toEqual(['blue', 'green', 'blue', 'red'])
  })

  it.each([
    [0, true],
    [1, false],
    [2, false],
    [3, false],
    [1, true],
  ])('may be a HEIC of tiles, rotated by %i quarters, mirrored: %s', async (quarterTurns, mirrored) => {
    const size = { width: 900, height: 700 }
    const upright = sharp((await decoder.decode(await gridHeic(size))).image).rotate(-90 * quarterTurns)
    const expected = await sharp(await upright.png().toBuffer())
      .flop(mirrored)
      .png()
      .toBuffer()
    const decoded = await decoder.decode(await gridHeic({ ...size, quarterTurns, mirrored }))
    for (const [x, y] of POSITIONS)
      expect(await colorAt(decoded.image, x, y), `${x} ${y}`).toBe(await colorAt(expected, x, y))
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is rotated upright from orientation %i', async (orientation) => {
    const decoded = await decoder.decode(await rotatedSample(orientation))
    expect([decoded.width, decoded.height]).toEqual([64, 48])
    expect(await corners(decoded.image)).toEqual(UPRIGHT)
    expect(await corners(decoded.thumbnail)).toEqual(UPRIGHT)
  })

  it('loses its metadata, such as place and camera', async () => {
    const telling = await sample()
      .withExif({
        IFD0: { Make: 'Telltale', Copyright: 'Telltale' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 8/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Telltale</x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    expect((await sharp(telling).metadata()).exif).toBeDefined()
    const { image, thumbnail } = await decoder.decode(telling)
    for (const bytes of [image, thumbnail]) {
      const { exif, xmp, icc, iptc, orientation } = await sharp(bytes).metadata()
      expect({ exif, xmp, icc, iptc, orientation }).toEqual({})
      expect(bytes.includes('Telltale') || bytes.includes('Exif') || bytes.includes('ICC_PROFILE')).toBe(
        false,
      )
    }
  })

  it('keeps the colors of a wide gamut JPEG', async () => {
    const wide = await sample()
      .withIccProfile('p3')
      .jpeg({ quality: 98, chromaSubsampling: '4:4:4' })
      .toBuffer()
    expect(await colorAt((await decoder.decode(wide)).image, 0.1, 0.9)).toBe('red')
  })

  it('gets a white background where it is transparent', async () => {
    const clear = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#ff000000' } })
      .png()
      .toBuffer()
    expect(await colorAt((await decoder.decode(clear)).image, 0.5, 0.5)).toBe('white')
  })

  it.each(['gif', 'webp'] as const)('is the first frame of an animated %s', async (format) => {
    const red = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#f00' } })
      .png()
      .toBuffer()
    const blue = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#00f' } })
      .png()
      .toBuffer()
    const animated = await sharp([red, blue], { join: { animated: true } })
      .toFormat(format)
      .toBuffer()
    expect((await sharp(animated).metadata()).pages).toBe(2)
    const decoded = await decoder.decode(animated)
    expect([decoded.width, decoded.height]).toEqual([32, 32])
    expect(await colorAt(decoded.image, 0.5, 0.5)).toBe('red')
  })

  it('is at most 4096 pixels long, and its thumbnail at most 320', async () => {
    const decoded = await decoder.decode(await sample(5000, 500).png().toBuffer())
    expect([decoded.width, decoded.height]).toEqual([4096, 410])
    const { width, height } = await sharp(decoded.thumbnail).metadata()
    expect([width, height]).toEqual([320, 32])
  })

  it('may be one pixel or a line', async () => {
    expect(await decoder.decode(await sample(1, 1).png().toBuffer())).toMatchObject({ width: 1, height: 1 })
    expect(await decoder.decode(pngOfSize(30_000, 1))).toMatchObject({ width: 4096, height: 1 })
  })
})

describe('a refused photo', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([0xff])],
    ['text', Buffer.from('just a text named card.jpg')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['SVG in XML', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['PDF', Buffer.from('%PDF-1.7\n%')],
    ['BMP', Buffer.from('BM\x46\0\0\0\0\0\0\0')],
    ['a video', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom')],
    ['JPEG XL', Buffer.from([0xff, 0x0a, 0, 0])],
  ])('is %s: not an image', async (_, bytes) => {
    expect(await reasonOf(bytes)).toBe('not_an_image')
  })

  it('is TIFF: not an image', async () => {
    expect(await reasonOf(await sample().tiff().toBuffer())).toBe('not_an_image')
  })

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('is a truncated %s', async (format) => {
    const whole = await sample(640, 480).modulate({ brightness: 0.9 }).toFormat(format).toBuffer()
    expect(await reasonOf(whole)).toBe('taken')
    for (const part of [0.1, 0.5, 0.9]) {
      expect(await reasonOf(whole.subarray(0, Math.max(16, whole.length * part))), `${part}`).toBe(
        'unreadable',
      )
    }
  })

  it('is a truncated HEIC', async () => {
    const whole = await heicFile('iphone.heic')
    for (const part of [0.1, 0.5, 0.8, 0.99]) {
      expect(await reasonOf(whole.subarray(0, whole.length * part)), `${part}`).toBe('unreadable')
    }
  })

  it.each([
    ['JPEG', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['PNG', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['WebP', Buffer.from('RIFF\x04\0\0\0WEBP')],
    ['GIF', Buffer.from('GIF89a')],
    ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
    ['AVIF', Buffer.from('\0\0\0\x18ftypavif\0\0\0\0mif1avif')],
  ])('is a %s that ends after its first bytes', async (_, bytes) => {
    expect(await reasonOf(bytes)).toBe('unreadable')
  })

  it('is another kind of file behind the first bytes of a photo', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    expect(await reasonOf(Buffer.concat([Buffer.from('ffd8ff', 'hex'), svg]))).toBe('unreadable')
  })

  it('is a HEIC or AVIF too large for the memory', async () => {
    expect(await reasonOf(await gridHeic({ width: 5800, height: 4400 }))).toBe('too_heavy')
    const whole = await heicFile('tile.heic')
    const large = Buffer.concat([Buffer.from('ispe\0\0\0\0'), ...[4000, 3000].map(bigEndian)])
    const at = whole.indexOf('ispe')
    expect(await reasonOf(Buffer.concat([whole.subarray(0, at), large, whole.subarray(at + 16)]))).toBe(
      'too_heavy',
    )
    const avif = await sample().avif({ effort: 0 }).toBuffer()
    large.copy(avif, avif.indexOf('ispe'))
    expect(await reasonOf(avif)).toBe('too_heavy')
  })

  it('declares more than 40 megapixels in its header', async () => {
    const bomb = pngOfSize(20_000, 20_000)
    expect(bomb.length).toBeLessThan(100_000)
    expect(await reasonOf(bomb)).toBe('too_many_pixels')
    expect(await reasonOf(bomb.subarray(0, 100))).toBe('too_many_pixels')
    expect(await reasonOf(pngOfSize(6325, 6325))).toBe('too_many_pixels')
    expect(await reasonOf(pngOfSize(8000, 5000))).toBe('taken')
  })
})
