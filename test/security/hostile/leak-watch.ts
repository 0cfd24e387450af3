import { CANARIES } from './generate.ts'
import { found } from './leaks.ts'

/** Characters kept from the end of a piece, in case a secret continues in the next one. */
const OVERLAP = 500
const MAX_TOKENS = 30

/** Knows the secrets in use and finds them in output. */
export class LeakWatch {
  readonly #tokens = new Set<string>()
  readonly #ends = new Map<string, string>()
  readonly #seen = new Map<string, number>()

  /** Remembers session tokens, which are secrets too. */
  noteCookies(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const value = /^unspent_\w+=([\w-]{20,})/.exec(cookie)?.[1]
      if (value && this.#tokens.size < MAX_TOKENS) this.#tokens.add(value)
    }
  }

  get secrets(): string[] {
    return [...CANARIES, ...this.#tokens]
  }

  tokensIn(bytes: Buffer): string[] {
    return found(bytes, [...this.#tokens])
  }

  /** Secrets in the next piece of a long text. */
  inNext(name: string, piece: string): string[] {
    const text = (this.#ends.get(name) ?? '') + piece
    this.#ends.set(name, text.slice(-OVERLAP))
    this.#seen.set(name, this.seenOf(name) + piece.length)
    return found(Buffer.from(text), this.secrets)
  }

  /** Characters checked so far. */
  seenOf(name: string): number {
    return this.#seen.get(name) ?? 0
  }
}
