/** Why the numbers on a photo may be unreadable. */
export type Doubt = 'blurry' | 'dark'

/** Pixels of the longer side while a photo is judged. On a smaller picture, a blurred number looks sharp. */
const SIDE = 800

/** Judges a photo that the browser shows. Undefined if it looks fine, or cannot be judged. */
export function doubtAbout(photo: HTMLImageElement): Doubt | undefined {
  const scale = Math.min(1, SIDE / Math.max(photo.naturalWidth, photo.naturalHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(photo.naturalWidth * scale)
  canvas.height = Math.round(photo.naturalHeight * scale)
  const context = canvas.getContext('2d')
  if (!context || canvas.width < 3 || canvas.height < 3) return undefined
  context.imageSmoothingQuality = 'high'
  context.drawImage(photo, 0, 0, canvas.width, canvas.height)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  const gray = new Uint8Array(data.length / 4)
  for (let pixel = 0; pixel < gray.length; pixel += 1) {
    const [red, green, blue] = [data[pixel * 4], data[pixel * 4 + 1], data[pixel * 4 + 2]]
    gray[pixel] = 0.3 * (red ?? 0) + 0.59 * (green ?? 0) + 0.11 * (blue ?? 0)
  }
  return judge(gray, canvas.width)
}

/** Brightness, of 255, that a photo in dim light does not reach even where the card is brightest. */
const DIM = 80
/** Difference between light and dark below which there is nothing to be sharp: a plain surface. */
const PLAIN = 24
/** Sharpest edge compared with the whole contrast: about 1 in focus, 0.1 when thin digits run together. */
const SOFT = 0.1

/**
 * @param gray brightness of each pixel, 0 to 255, row by row
 * @param width pixels per row
 */
export function judge(gray: Uint8Array, width: number): Doubt | undefined {
  const brightness = new Uint32Array(256)
  const edges = new Uint32Array(4 * 256)
  const at = (pixel: number) => gray[pixel] ?? 0
  for (let pixel = 0; pixel < gray.length; pixel += 1) {
    const value = at(pixel)
    count(brightness, value)
    const column = pixel % width
    if (pixel < width || pixel >= gray.length - width || column === 0 || column === width - 1) continue
    // The Laplacian: how much a pixel differs from its neighbors.
    const neighbors = at(pixel - 1) + at(pixel + 1) + at(pixel - width) + at(pixel + width)
    count(edges, Math.abs(4 * value - neighbors))
  }
  const light = percentile(brightness, 0.999)
  if (light < DIM) return 'dark'
  const contrast = light - percentile(brightness, 0.001)
  return contrast >= PLAIN && percentile(edges, 0.999) < SOFT * contrast ? 'blurry' : undefined
}

function count(histogram: Uint32Array, value: number): void {
  histogram[value] = (histogram[value] ?? 0) + 1
}

/** The value that this share of the counted values does not exceed. */
function percentile(histogram: Uint32Array, share: number): number {
  const total = histogram.reduce((sum, times) => sum + times, 0)
  let seen = 0
  return histogram.findIndex((times) => {
    seen += times
    return seen >= share * total
  })
}
