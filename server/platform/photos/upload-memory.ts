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
  open(owner: string, onEvicted: () => void): MemoryShare {
    const upload: Upload = { owner, onEvicted, bytes: 0, canEvict: true }
    this.#uploads.add(upload)
    return {
      reserve: (bytes) => {
        this.#refuseEvicted(upload)
        this.#makeRoom(upload, bytes)
        upload.bytes += bytes
      },
      free: (bytes) => {
        upload.bytes -= bytes
      },
      pin: () => {
        this.#refuseEvicted(upload)
        upload.canEvict = false
      },
      close: () => this.#uploads.delete(upload),
    }
  }

  #refuseEvicted(upload: Upload): void {
    if (!this.#uploads.has(upload)) throw new PhotoDecoderBusy()
  }

  #makeRoom(upload: Upload, bytes: number): void {
    for (;;) {
      const used = totalBytes(this.#uploads)
      if (used === upload.bytes || used + bytes <= this.#limitBytes) return
      const evicted = this.#newestOfLargest(upload.owner, totalBytes(this.#of(upload.owner)) + bytes)
      if (!evicted) throw new PhotoDecoderBusy()
      this.#uploads.delete(evicted)
      evicted.onEvicted()
    }
  }

  /** The newest upload of the other owner who uses the most, if that is more than `bytes`. */
  #newestOfLargest(owner: string, bytes: number): Upload | undefined {
    let largest: { uploads: Upload[]; bytes: number } = { uploads: [], bytes }
    for (const other of new Set([...this.#uploads].map((upload) => upload.owner))) {
      const uploads = this.#of(other)
      if (other !== owner && totalBytes(uploads) > largest.bytes)
        largest = { uploads, bytes: totalBytes(uploads) }
    }
    return largest.uploads.findLast((upload) => upload.canEvict && upload.bytes > 0)
  }

  #of(owner: string): Upload[] {
    return [...this.#uploads].filter((upload) => upload.owner === owner)
  }
}

/** What one upload has reserved. */
export interface MemoryShare {
  /** Throws `PhotoDecoderBusy` when there is no room, or the upload was evicted. */
  reserve(bytes: number): void
  free(bytes: number): void
  /** From now on the upload cannot be evicted. Throws `PhotoDecoderBusy` when it already was. */
  pin(): void
  /** Frees everything. */
  close(): void
}

function totalBytes(uploads: Iterable<Upload>): number {
  let bytes = 0
  for (const upload of uploads) bytes += upload.bytes
  return bytes
}
