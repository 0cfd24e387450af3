interface Picture {
  width: number
  height: number
  /** Of the JPEG, 0 to 1. */
  quality: number
}

/** Draws a picture and encodes it as JPEG; null when the browser can't. */
export function canvasBlob(
  { width, height, quality }: Picture,
  draw: (context: CanvasRenderingContext2D) => void,
): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  // JPEG knows no transparency, and what shows through would be black.
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  draw(context)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}

/** The encoded photo under the name it came with. */
export function jpegFile(blob: Blob, original: File): File {
  const name = `${original.name.replace(/\.[^.]+$/, '')}.jpg`
  return new File([blob], name, { type: 'image/jpeg', lastModified: original.lastModified })
}
