// iPhones store HEIC in the colours of Display P3 and say so in an ICC profile, which libheif does not hand
// on. Taken for sRGB such a photo looks faded, so its pixels are converted here. Only profiles of three
// primaries are understood, and their curve is taken for that of sRGB, which Display P3 shares.

type Matrix = readonly number[]

/** From XYZ of the profile connection space (D50) to linear sRGB (Lindbloom, Bradford-adapted). */
const XYZ_TO_SRGB: Matrix = [
  3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.033454, 0.0719453, -0.2289914, 1.4052427,
]

/** What converts pixels (red, green, blue, alpha) in place to sRGB, by the profile in the HEIC file if it has one. */
export function converterToSrgb(heic: Buffer): (pixels: Uint8Array) => void {
  const profile = findProfile(heic)
  const primaries = profile && readPrimaries(profile)
  const matrix = primaries && multiply(XYZ_TO_SRGB, primaries)
  return matrix && !isIdentity(matrix) ? converter(matrix) : () => {}
}

// The profile stands in a `colr` box of type `prof` (ISO/IEC 14496-12, 12.1.5), in the head of the file.
function findProfile(heic: Buffer): Buffer | undefined {
  const at = heic.indexOf('colrprof', 0, 'latin1')
  if (at === -1 || at + 12 > heic.length) return undefined
  return heic.subarray(at + 8, at + 8 + heic.readUInt32BE(at + 8))
}

/** The columns of the matrix from linear colours to XYZ (ICC.1:2022, 7.3 and 9.2). */
function readPrimaries(profile: Buffer): Matrix | undefined {
  const columns = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => readXyz(profile, tag))
  const [red, green, blue] = columns
  if (!red || !green || !blue) return undefined
  return [0, 1, 2].flatMap((row) => [red[row] ?? 0, green[row] ?? 0, blue[row] ?? 0])
}

function readXyz(profile: Buffer, tag: string): number[] | undefined {
  const count = profile.length < 132 ? 0 : Math.min(profile.readUInt32BE(128), 100)
  for (let at = 132; at < 132 + count * 12 && at + 12 <= profile.length; at += 12) {
    if (profile.toString('latin1', at, at + 4) !== tag) continue
    const values = profile.readUInt32BE(at + 4) + 8
    if (values + 12 > profile.length) return undefined
    return [0, 4, 8].map((offset) => profile.readInt32BE(values + offset) / 65536)
  }
  return undefined
}

function multiply(a: Matrix, b: Matrix): Matrix {
  const cell = (row: number, column: number) =>
    [0, 1, 2].reduce((sum, i) => sum + (a[row * 3 + i] ?? 0) * (b[i * 3 + column] ?? 0), 0)
  return [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => cell(row, column)))
}

function isIdentity(matrix: Matrix): boolean {
  return matrix.every((value, i) => Math.abs(value - (i % 4 === 0 ? 1 : 0)) < 0.01)
}

const STEPS = 4095

// Twelve million pixels are computed by tables: one for the curve, one for the way back.
function converter(matrix: Matrix): (pixels: Uint8Array) => void {
  const linear = Float32Array.from({ length: 256 }, (_, value) => toLinear(value / 255) * STEPS)
  const encoded = Uint8Array.from({ length: STEPS + 1 }, (_, value) =>
    Math.round(fromLinear(value / STEPS) * 255),
  )
  const at = (value: number) => encoded[value <= 0 ? 0 : value >= STEPS ? STEPS : (value + 0.5) | 0] ?? 0
  const [rr = 0, rg = 0, rb = 0, gr = 0, gg = 0, gb = 0, br = 0, bg = 0, bb = 0] = matrix
  return (pixels) => {
    for (let i = 0; i < pixels.length; i += 4) {
      const r = linear[pixels[i] ?? 0] ?? 0
      const g = linear[pixels[i + 1] ?? 0] ?? 0
      const b = linear[pixels[i + 2] ?? 0] ?? 0
      pixels[i] = at(rr * r + rg * g + rb * b)
      pixels[i + 1] = at(gr * r + gg * g + gb * b)
      pixels[i + 2] = at(br * r + bg * g + bb * b)
    }
  }
}

// IEC 61966-2-1.
function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function fromLinear(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
}
