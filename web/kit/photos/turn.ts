import { canvasBlob, jpegFile } from './encode.ts'

/** Sharper than a shrunk photo, as it is encoded a second time. */
const QUALITY = 0.9

/**
 * A photo turned clockwise.
 * @param quarters how many quarters of a turn; always from the original, so that turning doesn't wear it out
 * @throws when the browser can't decode it (HEIC, on most)
 */
export async function turnPhoto(original: File, quarters: number): Promise<File> {
  if (quarters % 4 === 0) return original
  const bitmap = await createImageBitmap(original, { imageOrientation: 'from-image' })
  const lying = quarters % 2 === 1
  const [width, height] = lying ? [bitmap.height, bitmap.width] : [bitmap.width, bitmap.height]
  const blob = await canvasBlob({ width, height, quality: QUALITY }, (context) => {
    context.translate(width / 2, height / 2)
    context.rotate((quarters * Math.PI) / 2)
    context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2)
  })
  bitmap.close()
  if (!blob) throw new Error('The photo could not be encoded')
  return jpegFile(blob, original)
}
