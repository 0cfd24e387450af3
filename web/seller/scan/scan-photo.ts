import wasmAddress from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { scannedBarcodes } from '#domain/scan.ts'
import { once } from '#web/kit/once.ts'
import type { ScanRequest } from './scan-worker.ts'
import workerAddress from './scan-worker.ts?worker&url'

/** Milliseconds for one photo, after which nothing was found. */
const TIME_LIMIT = 20_000

/**
 * The numbers to suggest from a photo, which stays in the browser. Tries the browser's own detector first, then zxing, which is
 * fetched at the first use.
 * @throws if the reader cannot be loaded or the photo cannot be decoded
 */
export async function scanPhoto(photo: Blob, brand: string): Promise<string[]> {
  if (await hasDetector()) {
    const numbers = await inWorker({ photo, brand }).catch(() => [])
    if (numbers.length > 0) return numbers
  }
  return inWorker({ photo, brand, wasm: await fetchReader() })
}

async function hasDetector(): Promise<boolean> {
  const { BarcodeDetector: detector } = globalThis as {
    BarcodeDetector?: { getSupportedFormats(): Promise<string[]> }
  }
  const formats = (await detector?.getSupportedFormats().catch(() => [])) ?? []
  return Object.keys(scannedBarcodes).every((format) => formats.includes(format))
}

async function fetchReader(): Promise<ArrayBuffer> {
  const response = await fetch(wasmAddress)
  if (!response.ok) throw new Error(`The reader answered ${response.status}`)
  return response.arrayBuffer()
}

/** One worker for each photo, so that whatever the photo does to the reader ends with it. */
function inWorker(request: ScanRequest): Promise<string[]> {
  const worker = new Worker(policy()?.createScriptURL(workerAddress) ?? workerAddress, { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  const timer = setTimeout(() => resolve([]), TIME_LIMIT)
  worker.onmessage = ({ data }: MessageEvent<string[]>) => resolve(data)
  worker.onerror = () => reject(new Error('The photo could not be scanned'))
  worker.postMessage(request)
  return promise.finally(() => {
    clearTimeout(timer)
    worker.terminate()
  })
}

/** The page's policy lets this one address become a worker's script. */
const policy = once(() => {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  return trustedTypes?.createPolicy('scan-worker', { createScriptURL: () => workerAddress })
})

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: () => string },
  ): { createScriptURL(address: string): string }
}
