import { PhotoDecoderBusy } from './errors.ts'

/** The memory that photos may take between the wire and the storage, in one process. */
export class Room {
  readonly #bytes: number
  #taken = 0

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  get taken(): number {
    return this.#taken
  }

  /** The part of one upload. One that has the room for itself gets whatever it needs; its size is bounded elsewhere. */
  open(): Share {
    let own = 0
    return {
      take: (bytes) => {
        const others = this.#taken - own
        if (others > 0 && this.#taken + bytes > this.#bytes) throw new PhotoDecoderBusy()
        own += bytes
        this.#taken += bytes
      },
      give: (bytes = own) => {
        own -= bytes
        this.#taken -= bytes
      },
    }
  }
}

export interface Share {
  /** Throws `PhotoDecoderBusy` when others have taken the room. */
  take(bytes: number): void
  /** Without a number: everything. */
  give(bytes?: number): void
}
