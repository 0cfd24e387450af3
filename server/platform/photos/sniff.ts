import type { PhotoFormat } from '#domain/photo-files.ts'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const JPEG = Buffer.from('ffd8ff', 'hex')

// ISO/IEC 23008-12 (HEIF) annex B, and AV1 Image File Format section 6.
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx']
const AVIF_BRANDS = ['avif', 'avis']

/** The format by the first bytes, or undefined if it is not accepted. file-type would be five packages for six formats. */
export function sniffPhoto(bytes: Buffer): PhotoFormat | undefined {
  if (startsWith(bytes, JPEG)) return 'jpeg'
  if (startsWith(bytes, PNG)) return 'png'
  const head = bytes.toString('latin1', 0, 12)
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'webp'
  if (head.startsWith('ftyp', 4)) return sniffBrands(bytes)
  return undefined
}

/** The major brand is not enough: both HEIC and AVIF files may start with `mif1`. */
function sniffBrands(bytes: Buffer): PhotoFormat | undefined {
  const end = Math.min(bytes.length, bytes.length < 4 ? 0 : bytes.readUInt32BE(0), 256)
  const brands: string[] = []
  for (let start = 8; start + 4 <= end; start += 4)
    if (start !== 12) brands.push(bytes.toString('latin1', start, start + 4))
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return 'avif'
  if (brands.some((brand) => HEIC_BRANDS.includes(brand))) return 'heic'
  return undefined
}

function startsWith(bytes: Buffer, head: Buffer): boolean {
  return bytes.subarray(0, head.length).equals(head)
}
