import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { scanNumbers, scannedBarcodes } from '#domain/scan.ts'
import { type Finding, median, ms } from '../findings.ts'
import { type CardPhoto, cardPhotos, conditions, type Kind } from './card-photos.ts'

const WITH_NUMBER: readonly Kind[] = ['code128', 'pdf417', 'qr']
const GOAL = 0.8

/** Scans 100 generated photos as the sell form does, with sharp instead of a canvas. */
export async function measureScan(): Promise<Finding[]> {
  const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(wasm)).buffer } })
  const scans: Scan[] = []
  for await (const photo of cardPhotos(1)) scans.push(await scan(photo))
  const withNumber = scans.filter(({ kind }) => WITH_NUMBER.includes(kind))
  const others = scans.filter(({ kind }) => !WITH_NUMBER.includes(kind) && kind !== 'serial')
  const serials = scans.filter(({ kind }) => kind === 'serial')
  const quiet = others.filter(({ numbers }) => numbers.length === 0).length
  return [
    ...conditions.map((name) =>
      finding(
        name,
        withNumber.filter(({ condition }) => condition === name),
      ),
    ),
    finding('all', withNumber),
    {
      what: 'photos with only a product code, an activation code or a link',
      measured: `nothing suggested for ${quiet} of ${others.length}`,
      goal: 'all',
      reached: quiet === others.length,
    },
    {
      what: 'photos with only a serial number',
      measured: `suggested for ${serials.filter(({ numbers }) => numbers.length > 0).length} of ${serials.length}`,
    },
    { what: 'time of a scan', measured: `p50 ${ms(median(scans.map(({ time }) => time)))}` },
  ]
}

interface Scan extends Pick<CardPhoto, 'kind' | 'condition' | 'number'> {
  readonly numbers: readonly string[]
  /** Of the reader alone, in ms. */
  readonly time: number
}

async function scan({ kind, condition, number, jpeg }: CardPhoto): Promise<Scan> {
  let time = 0
  const numbers = await scanNumbers(async (side, angle) => {
    const small = await sharp(jpeg)
      .resize(side, side, { fit: 'inside' })
      .png({ compressionLevel: 1 })
      .toBuffer()
    const { data, info } = await sharp(small)
      .rotate(angle, { background: 'gray' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const image = {
      data: new Uint8ClampedArray(data),
      width: info.width,
      height: info.height,
      colorSpace: 'srgb',
    }
    const start = performance.now()
    const found = await readBarcodes(image as ImageData, { formats: Object.values(scannedBarcodes) })
    time += performance.now() - start
    return found.map(({ text }) => text)
  }, 'target')
  return { kind, condition, number, numbers, time }
}

function finding(name: string, scans: readonly Scan[]): Finding {
  const right = scans.filter(({ number, numbers }) => numbers.length === 1 && numbers[0] === number).length
  const none = scans.filter(({ numbers }) => numbers.length === 0).length
  const wrong = scans.length - right - none
  return {
    what: `photos with the number in a barcode, ${name}`,
    measured: `${right} of ${scans.length} right, ${none} not read, ${wrong} wrong`,
    goal: '≥ 80 % right, 0 wrong',
    reached: right >= GOAL * scans.length && wrong === 0,
  }
}
