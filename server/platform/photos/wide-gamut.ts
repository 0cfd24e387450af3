// iPhones store HEIC in the colors of Display P3 and say so in an ICC profile, which libheif does not apply. Read as
// sRGB such a photo looks faded, so its pixels are converted here; sharp cannot attach a profile to raw pixels. Supports
// profiles of three primaries and assumes the curve of sRGB, which Display P3 shares.

/** Three by three, row by row. */
type Matrix = readonly number[]

/** From XYZ of the profile connection space (D50) to linear sRGB (Lindbloom, Bradford-adapted). */
const XYZ_TO_SRGB: Matrix = [
  3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.033454, 0.0719453, -0.2289914, 1.4052427,
]

/** A function that converts pixels (red, green, blue, alpha) to sRGB in place, by the profile of the HEIC file. */
export function converterToSrgb(heic: Buffer): (pixels: Uint8Array) => void {
  const primaries = readPrimaries(findProfile(heic))
  const matrix = primaries && multiply(XYZ_TO_SRGB, primaries)
  return matrix && !isIdentity(matrix) ? converter(matrix) : () => {}
}

/** Finds the profile in the `colr` box of type `prof` (ISO/IEC 14496-12, 12.1.5). */
function findProfile(heic: Buffer): Buffer {
  const start = heic.indexOf('colrprof', 0, 'latin1')
  if (start === -1 || start + 12 > heic.length) return Buffer.alloc(0)
  return heic.subarray(start + 8, start + 8 + heic.readUInt32BE(start + 8))
}

/** The matrix from linear colors to XYZ (ICC.1:2022, 7.3 and 9.2). */
function readPrimaries(profile: Buffer): Matrix | undefined {
  const [red, green, blue] = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => readXyz(profile, tag))
  if (!red || !green || !blue) return undefined
  return [0, 1, 2].flatMap((row) => [red[row] ?? 0, green[row] ?? 0, blue[row] ?? 0])
}

function readXyz(profile: Buffer, tag: string): number[] | undefined {
  const count = profile.length < 132 ? 0 : Math.min(profile.readUInt32BE(128), 100)
  for (let entry = 132; entry < 132 + count * 12 && entry + 12 <= profile.length; entry += 12) {
    if (profile.toString('latin1', entry, entry + 4) !== tag) continue
    const values = profile.readUInt32BE(entry + 4) + 8
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

/** Uses tables for the curve and its inverse: a photo has 12 million pixels. */
function converter(matrix: Matrix): (pixels: Uint8Array) => void {
  const linear = Float32Array.from({ length: 256 }, (_, value) => toLinear(value / 255) * STEPS)
  const encoded = Uint8Array.from({ length: STEPS + 1 }, (_, step) =>
    Math.round(fromLinear(step / STEPS) * 255),
  )
  const encode = (value: number) => encoded[Math.min(Math.max(0, value + 0.5), STEPS) | 0] ?? 0
  const [rr = 0, rg = 0, rb = 0, gr = 0, gg = 0, gb = 0, br = 0, bg = 0, bb = 0] = matrix
  return (pixels) => {
    for (let i = 0; i < pixels.length; i += 4) {
      const r = linear[pixels[i] ?? 0] ?? 0
      const g = linear[pixels[i + 1] ?? 0] ?? 0
      const b = linear[pixels[i + 2] ?? 0] ?? 0
      pixels[i] = encode(rr * r + rg * g + rb * b)
      pixels[i + 1] = encode(gr * r + gg * g + gb * b)
      pixels[i + 2] = encode(br * r + bg * g + bb * b)
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
