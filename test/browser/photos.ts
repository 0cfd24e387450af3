import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

let made: Promise<Buffer> | undefined

/** A photo like a phone's: 12 megapixels, 3 to 8 MB, with a rotation flag and GPS data. The same one each time. */
export function phonePhoto(): Promise<Buffer> {
  made ??= makePhoto()
  return made
}

async function makePhoto(): Promise<Buffer> {
  const [width, height] = [4000, 3000]
  const grain = await sharp(randomBytes(2000 * 1500 * 3), { raw: { width: 2000, height: 1500, channels: 3 } })
    .resize(width, height)
    .blur(1.1)
    .toBuffer()
  const card = Buffer.from(`<svg width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg">
    <rect width="100%" height="100%" fill="#8a7a66" fill-opacity="0.55"/>
    <rect x="500" y="600" width="3000" height="1800" rx="120" fill="#17324d"/>
    <text x="700" y="1100" font-family="sans-serif" font-size="260" fill="#ffffff">GIFT CARD</text>
    <text x="700" y="1900" font-family="monospace" font-size="220" fill="#f3d98b">6006 4930 1234 5678</text>
  </svg>`)
  return sharp(grain, { raw: { width, height, channels: 3 } })
    .composite([{ input: card }])
    .withExif({ IFD0: { Make: 'Phone' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 96 })
    .toBuffer()
}
