import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Something that the server acknowledged, so it must not be lost. */
export type Acknowledgement =
  | { kind: 'submission'; id: string; transactionId: string; key: string; seller: string; card: number }
  | { kind: 'message'; clientId: string; text: string }
  | { kind: 'move'; id: string; version: number; to: string }

/** All acknowledgements. Each is on disk before the load continues, in a file that the server doesn't know. */
export class Acknowledgements {
  readonly #file: number
  readonly all: Acknowledgement[] = []
  /** The longest time between two of them, in milliseconds. Set it to 0 to measure again. */
  longestGap = 0
  #addedAt = performance.now()

  constructor(path: string) {
    this.#file = openSync(path, 'a', 0o600)
  }

  add(acknowledgement: Acknowledgement): void {
    writeSync(this.#file, `${JSON.stringify(acknowledgement)}\n`)
    fsyncSync(this.#file)
    this.all.push(acknowledgement)
    const now = performance.now()
    this.longestGap = Math.max(this.longestGap, now - this.#addedAt)
    this.#addedAt = now
  }

  of<K extends Acknowledgement['kind']>(kind: K): Extract<Acknowledgement, { kind: K }>[] {
    return this.all.filter((one): one is Extract<Acknowledgement, { kind: K }> => one.kind === kind)
  }

  close(): void {
    closeSync(this.#file)
  }
}
