import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp, { type Sharp } from 'sharp'
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer'
import { Random } from '#test/random.ts'

export const conditions = ['straight', 'tilted', 'blurred', 'glare', 'dark'] as const
type Condition = (typeof conditions)[number]

/** What the back of a card carries, with how many of 20 cards look like it. */
const kinds = {
  code128: 6,
  pdf417: 3,
  qr: 3,
  /** Only the product code. */
  upc: 3,
  /** A package: product code and activation code in one barcode of 30 digits. */
  package: 2,
  /** A QR code with a link. */
  link: 2,
  /** A barcode with a serial number instead of the card number. */
  serial: 1,
}
export type Kind = keyof typeof kinds

export interface CardPhoto {
  readonly kind: Kind
  readonly condition: Condition
  /** The printed number, without spaces. */
  readonly number: string
  readonly jpeg: Buffer
}

/** Photos of 12 megapixels of backs of gift cards, 20 in each condition; the same for the same seed. */
export async function* cardPhotos(seed: number): AsyncGenerator<CardPhoto> {
  const random = new Random(seed)
  const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(wasm)).buffer } })
  for (const condition of conditions) {
    for (const [name, count] of Object.entries(kinds)) {
      for (let index = 0; index < count; index++) {
        const kind = name as Kind
        const number = random.digits(random.pick([16, 16, 19])).replace(/^0/, '6')
        const card = await drawCard(random, kind, number)
        yield { kind, condition, number, jpeg: await photograph(random, card, condition) }
      }
    }
  }
}

/** 24 pixels a millimeter: 85.6 × 54 mm, ISO/IEC 7810 ID-1. */
const CARD = { width: 2054, height: 1296 }

const PHOTO = { width: 4032, height: 3024 }

interface Picture {
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

async function drawCard(random: Random, kind: Kind, number: string): Promise<Picture> {
  const groups = number.replace(/\d{4}(?=\d)/g, '$& ')
  const product = withCheckDigit(`0${random.digits(10)}`)
  const [paper, ink] = random.pick([
    ['#ffffff', '#111111'],
    ['#eef0e6', '#222222'],
    ['#d9d4c7', '#1a1a1a'],
  ] as const)
  const svg =
    Buffer.from(`<svg width="${CARD.width}" height="${CARD.height}" xmlns="http://www.w3.org/2000/svg">
    <rect width="100%" height="100%" rx="76" fill="${paper}"/>
    <rect y="90" width="100%" height="230" fill="#151515"/>
    <text x="120" y="1010" font-family="DejaVu Sans Mono" font-size="86" fill="${ink}">${groups}</text>
    <text x="120" y="1130" font-family="DejaVu Sans" font-size="44" fill="${ink}">PIN ${random.digits(4)}   Use at any store. No fees. Not for resale.</text>
  </svg>`)
  const small = { left: 1450, top: 980, width: 480 }
  const large = { left: 160, top: 430, width: random.integer(1150, 1500) }
  const square = { left: 240, top: 400, width: random.integer(380, 480) }
  const codes = {
    code128: [await barcode('Code128', number, large), await barcode('UPCA', product, small)],
    pdf417: [
      await barcode('PDF417', number, { ...large, width: 1000 }),
      await barcode('UPCA', product, small),
    ],
    qr: [await barcode('QRCode', number, square)],
    upc: [await barcode('UPCA', product, { ...large, width: 900 })],
    package: [await barcode('Code128', `${product.slice(1)}${random.digits(19)}`, { ...large, width: 1600 })],
    link: [await barcode('QRCode', `https://example.com/balance?id=${random.digits(8)}`, square)],
    serial: [await barcode('Code128', random.digits(14).replace(/^0/, '9'), large)],
  }[kind]
  return raw(sharp(svg).composite(codes))
}

/** A barcode on white, with its quiet zone. */
async function barcode(
  format: WriteInputBarcodeFormat,
  text: string,
  { left, top, width }: { left: number; top: number; width: number },
) {
  const { svg, error } = await writeBarcode(text, { format })
  if (error) throw new Error(error)
  const input = await sharp(Buffer.from(svg), { density: 1200 })
    .resize({ width, kernel: 'nearest' })
    .png()
    .toBuffer()
  return { input, left, top }
}

function withCheckDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** Degrees by which a hand turns the card or leans the camera, at most. */
const poses: Readonly<Record<Condition, { readonly turn: number; readonly lean: number }>> = {
  straight: { turn: 4, lean: 4 },
  tilted: { turn: 180, lean: 35 },
  blurred: { turn: 15, lean: 10 },
  glare: { turn: 15, lean: 15 },
  dark: { turn: 15, lean: 10 },
}

/** The card on a table, photographed by a phone in the hand. */
async function photograph(random: Random, card: Picture, condition: Condition): Promise<Buffer> {
  const layers = [{ input: project(random, card, poses[condition]), raw: { ...PHOTO, channels: 4 } as const }]
  let photo = await rgb(fromRgb(await table(random)).composite(layers))
  if (condition === 'glare') photo = await rgb(fromRgb(photo).composite([{ input: glare(random) }]))
  // Pixels of 4032. Every lens is a little soft; out of focus is 3 to 7, which hides bars of a third of a millimeter.
  const softness = condition === 'blurred' ? between(random, 3, 7) : between(random, 0.8, 1.6)
  const light = condition === 'dark' ? between(random, 0.08, 0.25) : between(random, 0.8, 1)
  const [red, blue] = [between(random, 0.9, 1), between(random, 0.8, 1)]
  const colors = [light * red, light, light * blue]
  const taken = await rgb(fromRgb(photo).blur(softness).linear(colors, [4, 4, 4]))
  addNoise(random, taken, condition === 'dark' ? 9 : 3)
  return fromRgb(taken).jpeg({ quality: 85 }).toBuffer()
}

const fromRgb = (data: Buffer) => sharp(data, { raw: { ...PHOTO, channels: 3 } })
const rgb = (image: Sharp): Promise<Buffer> => image.removeAlpha().raw().toBuffer()

/** Soft stains of brown and gray. */
function table(random: Random): Promise<Buffer> {
  const stains = random.bytes(16 * 12 * 3).map((value) => 70 + value / 4)
  const small = sharp(stains, { raw: { width: 16, height: 12, channels: 3 } })
  return rgb(small.resize(PHOTO.width, PHOTO.height, { kernel: 'cubic', fit: 'fill' }))
}

/** A lamp's reflection: a bright oval that reaches over part of the card. */
function glare(random: Random): Buffer {
  const [x, y] = [between(random, 0.3, 0.7), between(random, 0.3, 0.7)]
  const [width, height] = [between(random, 0.06, 0.16), between(random, 0.1, 0.25)]
  return Buffer.from(`<svg width="${PHOTO.width}" height="${PHOTO.height}" xmlns="http://www.w3.org/2000/svg">
    <radialGradient id="lamp">
      <stop offset="0.3" stop-color="white" stop-opacity="1"/>
      <stop offset="1" stop-color="white" stop-opacity="0"/>
    </radialGradient>
    <ellipse cx="${x * PHOTO.width}" cy="${y * PHOTO.height}" rx="${width * PHOTO.width}" ry="${height * PHOTO.height}"
      transform="rotate(${random.below(180)} ${x * PHOTO.width} ${y * PHOTO.height})" fill="url(#lamp)"/>
  </svg>`)
}

/** Adds roughly normal noise with this deviation, of 255. */
function addNoise(random: Random, pixels: Buffer, deviation: number): void {
  const noise = Float32Array.from(
    { length: 1 << 16 },
    () => (random.number() + random.number() + random.number() - 1.5) * 2 * deviation,
  )
  let at = random.below(noise.length)
  for (let index = 0; index < pixels.length; index++) {
    // A large odd step, so that the pattern does not show.
    at = (at + 40_503) & 0xffff
    pixels[index] = Math.max(0, Math.min(255, (pixels[index] ?? 0) + (noise[at] ?? 0)))
  }
}

/** The card seen through a pinhole camera, RGBA of the photo's size. */
function project(random: Random, card: Picture, { turn, lean }: { turn: number; lean: number }): Buffer {
  const radians = (degrees: number) => (between(random, -degrees, degrees) * Math.PI) / 180
  const [roll, pitch, yaw] = [radians(turn), radians(lean), radians(lean)]
  const across = Math.abs(Math.cos(roll)) + Math.abs(Math.sin(roll)) * 0.5
  // The share of the photo's width that the card takes.
  const share = between(random, 0.6, 0.8) * Math.min(1, 1 / across)
  const focal = PHOTO.width
  const distance = (focal * card.width) / (share * PHOTO.width)
  const [sr, cr, sp, cp, sy, cy] = [roll, pitch, yaw].flatMap((angle) => [
    Math.sin(angle),
    Math.cos(angle),
  ]) as [number, number, number, number, number, number]
  // The first two columns of yaw × pitch × roll, and the middle of the photo.
  const [ax, ay, az] = [cy * cr + sy * sp * sr, cp * sr, -sy * cr + cy * sp * sr]
  const [bx, by, bz] = [-cy * sr + sy * sp * cr, cp * cr, sy * sr + cy * sp * cr]
  const [mx, my] = [PHOTO.width * between(random, 0.47, 0.53), PHOTO.height * between(random, 0.47, 0.53)]
  const plane = [
    [focal * ax + mx * az, focal * bx + mx * bz, mx * distance],
    [focal * ay + my * az, focal * by + my * bz, my * distance],
    [az, bz, distance],
  ] as const
  const back = inverse(plane)
  const photo = Buffer.alloc(PHOTO.width * PHOTO.height * 4)
  for (let y = 0; y < PHOTO.height; y++) {
    for (let x = 0; x < PHOTO.width; x++) {
      const w = back[6] * x + back[7] * y + back[8]
      const u = (back[0] * x + back[1] * y + back[2]) / w + card.width / 2
      const v = (back[3] * x + back[4] * y + back[5]) / w + card.height / 2
      if (u >= 0 && v >= 0 && u < card.width - 1 && v < card.height - 1) {
        copyPixel(card, u, v, photo, (y * PHOTO.width + x) * 4)
      }
    }
  }
  return photo
}

/** Copies a pixel between four pixels of the card. */
function copyPixel({ data, width }: Picture, u: number, v: number, photo: Buffer, to: number): void {
  const [left, top] = [Math.floor(u), Math.floor(v)]
  const [right, below] = [u - left, v - top]
  const from = (top * width + left) * 4
  const value = (offset: number) => data[from + offset] ?? 0
  for (let channel = 0; channel < 4; channel++) {
    const upper = value(channel) * (1 - right) + value(channel + 4) * right
    const lower = value(channel + width * 4) * (1 - right) + value(channel + width * 4 + 4) * right
    photo[to + channel] = upper * (1 - below) + lower * below
  }
}

type Row = readonly [number, number, number]

/** The inverse of a 3 × 3 matrix, up to a factor, row by row. */
function inverse([[a, b, c], [d, e, f], [g, h, i]]: readonly [Row, Row, Row]) {
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ] as const
}

const between = (random: Random, low: number, high: number) => low + random.number() * (high - low)

async function raw(image: Sharp): Promise<Picture> {
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
