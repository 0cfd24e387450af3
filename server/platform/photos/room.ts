import { PhotoDecoderBusy } from './errors.ts'

/** The part of the room that one upload has. */
export interface Share {
  /** Throws `PhotoDecoderBusy` when there is no room, or this upload has lost its share. */
  take(bytes: number): void
  give(bytes: number): void
  /** From here on the share can't be lost. Throws `PhotoDecoderBusy` when it was. */
  keep(): void
  /** Gives everything back. */
  close(): void
}

interface Upload {
  readonly owner: string
  readonly onLost: () => void
  bytes: number
  canLose: boolean
}

/**
 * The memory that photos may take between the wire and the storage, in one process. When it runs out, the seller who has the
 * most of it loses an upload to one who has less.
 */
export class Room {
  readonly #bytes: number
  readonly #uploads = new Set<Upload>()

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /**
   * The share of one upload. An upload that has the room to itself gets whatever it needs; its size is bounded elsewhere.
   * @param onLost lets go of what was taken
   */
  open(owner: string, onLost: () => void): Share {
    const upload: Upload = { owner, onLost, bytes: 0, canLose: true }
    this.#uploads.add(upload)
    return {
      take: (bytes) => {
        this.#refuseLost(upload)
        this.#makeRoom(upload, bytes)
        upload.bytes += bytes
      },
      give: (bytes) => {
        upload.bytes -= bytes
      },
      keep: () => {
        this.#refuseLost(upload)
        upload.canLose = false
      },
      close: () => this.#uploads.delete(upload),
    }
  }

  #refuseLost(upload: Upload): void {
    if (!this.#uploads.has(upload)) throw new PhotoDecoderBusy()
  }

  #makeRoom(upload: Upload, bytes: number): void {
    for (;;) {
      const taken = bytesOf(this.#uploads)
      if (taken === upload.bytes || taken + bytes <= this.#bytes) return
      const lost = this.#newestOfLargest(upload.owner, bytesOf(this.#of(upload.owner)) + bytes)
      if (!lost) throw new PhotoDecoderBusy()
      this.#uploads.delete(lost)
      lost.onLost()
    }
  }

  /** The newest upload of the seller who has the most, if that is more than `bytes` and another seller. */
  #newestOfLargest(owner: string, bytes: number): Upload | undefined {
    let largest: { uploads: Upload[]; bytes: number } = { uploads: [], bytes }
    for (const other of new Set([...this.#uploads].map((upload) => upload.owner))) {
      const uploads = this.#of(other)
      if (other !== owner && bytesOf(uploads) > largest.bytes) largest = { uploads, bytes: bytesOf(uploads) }
    }
    return largest.uploads.findLast((upload) => upload.canLose && upload.bytes > 0)
  }

  #of(owner: string): Upload[] {
    return [...this.#uploads].filter((upload) => upload.owner === owner)
  }
}

function bytesOf(uploads: Iterable<Upload>): number {
  let bytes = 0
  for (const upload of uploads) bytes += upload.bytes
  return bytes
}
