const MAX_SIDE = 4096
const SHRUNK_QUALITY = 0.85
/** Higher, because a turned photo is often encoded twice. */
const TURNED_QUALITY = 0.9
/** Bytes. Smaller files of fitting size are kept: encoding them again would only cost sharpness. */
const SMALL_ENOUGH = 2_500_000

/**
 * Makes a large phone photo smaller. Returns the file unchanged if the browser can't decode it (usually HEIC) or if it
 * would not become smaller.
 */
export async function shrinkPhoto(file: File): Promise<File> {
  if (file.type === 'image/gif') return file
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height))
    const [width, height] = [Math.round(bitmap.width * scale), Math.round(bitmap.height * scale)]
    const isFine = scale === 1 && file.size <= SMALL_ENOUGH
    const blob = isFine
      ? null
      : await encodeJpeg({ width, height, quality: SHRUNK_QUALITY }, (context) =>
          context.drawImage(bitmap, 0, 0, width, height),
        )
    bitmap.close()
    return blob && blob.size < file.size ? jpegFile(blob, file) : file
  } catch {
    return file
  }
}

/**
 * Turns a photo clockwise.
 * @param original the photo before any turn, so that turning again loses no quality
 * @throws if the browser can't decode it (usually HEIC)
 */
export async function turnPhoto(original: File, quarterTurns: number): Promise<File> {
  if (quarterTurns % 4 === 0) return original
  const bitmap = await createImageBitmap(original, { imageOrientation: 'from-image' })
  const isSideways = quarterTurns % 2 === 1
  const [width, height] = isSideways ? [bitmap.height, bitmap.width] : [bitmap.width, bitmap.height]
  const blob = await encodeJpeg({ width, height, quality: TURNED_QUALITY }, (context) => {
    context.translate(width / 2, height / 2)
    context.rotate((quarterTurns * Math.PI) / 2)
    context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2)
  })
  bitmap.close()
  if (!blob) throw new Error('The photo could not be encoded')
  return jpegFile(blob, original)
}

/** @returns null if the browser can't encode it */
function encodeJpeg(
  { width, height, quality }: { width: number; height: number; quality: number },
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  // JPEG has no transparency: without this, transparent parts would turn black.
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  draw(context)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}

function jpegFile(blob: Blob, original: File): File {
  const name = `${original.name.replace(/\.[^.]+$/, '')}.jpg`
  return new File([blob], name, { type: 'image/jpeg', lastModified: original.lastModified })
}
