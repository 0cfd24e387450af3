import type { FastifyBaseLogger } from 'fastify'
import type { Brand } from '#domain/brands.ts'
import type { Site } from '#server/platform/config/site.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { PayoutProvider } from '#server/platform/payout-provider/payout-provider.ts'
import type { PhotoDecoder } from '#server/platform/photos/photo-decoder.ts'
import type { PhotoStorage } from '#server/platform/photos/storage.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import type { Locale } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'

/** What the actions of every feature work with. */
export interface Context {
  readonly db: Database
  readonly keys: KeyRing
  readonly catalog: BrandCatalog
  readonly passwords: PasswordHasher
  readonly photos: PhotoStorage
  readonly decoder: PhotoDecoder
  readonly log: FastifyBaseLogger
  readonly site: Site
  readonly words: Words
  /** Undefined: every batch leaves in a file. */
  readonly payoutProvider?: PayoutProvider | undefined
}

/** Every text in each language. */
export type Words = Readonly<Record<Locale, Translate>>

/** The brands in the memory of this process. */
export interface BrandCatalog {
  current(): Promise<Terms>
  /** Makes the next `current` read the database. */
  forget(): void
}

/** The catalog at the time it was read, with everything derived from it. */
export interface Terms {
  readonly brands: readonly Brand[]
  /** The body of `GET /api/brands`. */
  readonly body: Buffer
  /** Terms of this brand that a seller may still see on an open screen. */
  readonly earlier: (slug: string) => readonly Brand[]
}

/** Hashes and checks passwords off the event loop. */
export interface PasswordHasher {
  /** @returns the hash in PHC form, which includes its parameters and salt */
  hash(password: string): Promise<string>
  /** Does the same work without a hash (no such account) and answers false, so the time reveals nothing. */
  matches(passwordHash: string | undefined, password: string): Promise<boolean>
}
