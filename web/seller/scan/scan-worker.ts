import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { scanNumbers, scannedBarcodes } from '#domain/scan.ts'

/**
 * Finds the numbers to suggest in one photo. Its own policy (server/http/screens.ts) allows WebAssembly, which the page's does
 * not, and no connections: nothing can leave.
 */
export interface ScanRequest {
  photo: Blob
  brand: string
  /** The reader. Without it, the browser's own detector is used. */
  wasm?: ArrayBuffer
}

self.onmessage = async ({ data: { photo, brand, wasm } }: MessageEvent<ScanRequest>) => {
  const read = wasm ? zxing(wasm) : detector()
  const bitmap = await createImageBitmap(photo)
  const numbers = await scanNumbers((side, angle) => read(drawn(bitmap, side, angle)), brand)
  self.postMessage(numbers)
}

type Read = (picture: ImageData) => Promise<string[]>

function zxing(wasmBinary: ArrayBuffer): Read {
  prepareZXingModule({ overrides: { wasmBinary } })
  const formats = Object.values(scannedBarcodes)
  return async (picture) => (await readBarcodes(picture, { formats })).map(({ text }) => text)
}

declare const BarcodeDetector: new (options: {
  formats: string[]
}) => { detect(picture: ImageData): Promise<{ rawValue: string }[]> }

function detector(): Read {
  const native = new BarcodeDetector({ formats: Object.keys(scannedBarcodes) })
  return async (picture) => (await native.detect(picture)).map(({ rawValue }) => rawValue)
}

/** The photo with its longer side at most this long, turned on a gray ground. */
function drawn(bitmap: ImageBitmap, side: number, angle: number): ImageData {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
  const [width, height, turn] = [bitmap.width * scale, bitmap.height * scale, (angle * Math.PI) / 180]
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)]
  const canvas = new OffscreenCanvas(
    Math.ceil(width * cos + height * sin),
    Math.ceil(width * sin + height * cos),
  )
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This browser has no canvas in workers')
  context.fillStyle = 'gray'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate(turn)
  context.drawImage(bitmap, -width / 2, -height / 2, width, height)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}
