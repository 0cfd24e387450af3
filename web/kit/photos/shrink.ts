import { canvasBlob, jpegFile } from './encode.ts'

const LONGEST_SIDE = 4096
const QUALITY = 0.85
/** Smaller files of fitting size are sent as they are: encoding again would only cost sharpness. */
const SMALL_ENOUGH = 2_500_000

/**
 * Makes a large phone photo smaller before it is sent. What the browser can't decode (HEIC, on most) and
 * what wouldn't become smaller is returned as it came.
 */
export async function shrinkPhoto(file: File): Promise<File> {
  if (file.type === 'image/gif') return file
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height))
    if (scale === 1 && file.size <= SMALL_ENOUGH) {
      bitmap.close()
      return file
    }
    const smaller = await encode(bitmap, scale)
    return smaller && smaller.size < file.size ? jpegFile(smaller, file) : file
  } catch {
    return file
  }
}

async function encode(bitmap: ImageBitmap, scale: number): Promise<Blob | null> {
  const width = Math.round(bitmap.width * scale)
  const height = Math.round(bitmap.height * scale)
  const blob = await canvasBlob({ width, height, quality: QUALITY }, (context) =>
    context.drawImage(bitmap, 0, 0, width, height),
  )
  bitmap.close()
  return blob
}
