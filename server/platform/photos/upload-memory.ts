import { PhotoDecoderBusy } from './errors.ts'

interface Upload {
  readonly owner: string
  readonly onEvicted: () => void
  bytes: number
  canEvict: boolean
}

/**
 * Limits the memory of all uploads of a process, from the wire to the storage. When it runs out, the owner who uses the most
 * loses an upload to one who uses less. A single upload may use any amount; its size is limited elsewhere.
 */
export class UploadMemory {
  readonly #limitBytes: number
  readonly #uploads = new Set<Upload>()

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** @param onEvicted frees what the upload has reserved */
  open(owner: string, onEvicted: () => void) {
    const upload: Upload = { owner, onEvicted, bytes: 0, canEvict: true }
    this.#uploads.add(upload)
    return {
      /** Throws `PhotoDecoderBusy` when there is no room, or the upload was evicted. */
      reserve: (bytes: number): void => {
        this.#refuseEvicted(upload)
        this.#makeRoom(upload, bytes)
        upload.bytes += bytes
      },
      free: (bytes: number): void => {
        upload.bytes -= bytes
      },
      /** From now on the upload cannot be evicted. Throws `PhotoDecoderBusy` when it already was. */
      pin: (): void => {
        this.#refuseEvicted(upload)
        upload.canEvict = false
      },
      /** Frees everything. */
      close: (): void => void this.#uploads.delete(upload),
    }
  }

  #refuseEvicted(upload: Upload): void {
    if (!this.#uploads.has(upload)) throw new PhotoDecoderBusy()
  }

  #makeRoom(upload: Upload, bytes: number): void {
    for (;;) {
      const used = totalBytes(this.#uploads)
      if (used === upload.bytes || used + bytes <= this.#limitBytes) return
      const evicted = this.#newestOfLargest(upload.owner, bytes)
      if (!evicted) throw new PhotoDecoderBusy()
      this.#uploads.delete(evicted)
      evicted.onEvicted()
    }
  }

  /** The newest upload of the owner who uses the most, if that is more than `owner` would use with `bytes` more. */
  #newestOfLargest(owner: string, bytes: number): Upload | undefined {
    const byOwner = Map.groupBy(this.#uploads, (upload) => upload.owner)
    const own = totalBytes(byOwner.get(owner) ?? []) + bytes
    byOwner.delete(owner)
    const [largest = []] = [...byOwner.values()].sort((a, b) => totalBytes(b) - totalBytes(a))
    if (totalBytes(largest) <= own) return undefined
    return largest.findLast((upload) => upload.canEvict && upload.bytes > 0)
  }
}

/** What one upload has reserved. */
export type MemoryShare = ReturnType<UploadMemory['open']>

function totalBytes(uploads: Iterable<Upload>): number {
  let bytes = 0
  for (const upload of uploads) bytes += upload.bytes
  return bytes
}
