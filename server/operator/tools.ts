import type { Brand } from '#brand/brand.ts'
import type { PasswordHasher } from '#server/context.ts'
import type { Storage } from '#server/platform/config/config-values.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { KeySource } from '#server/platform/vault/keys.ts'

/** What the actions of `./unspent admin` work with. */
export interface Tools {
  readonly db: Database
  readonly passwords: PasswordHasher
  /** The address of the site, for links. */
  readonly url: string
  readonly source: KeySource
  readonly storage: Storage
  readonly eraseAfterDays: number
  readonly brand: Brand
  readonly say: (line: string) => void
}

/** Runs the action of a command. If it returns false, the program exits with 1. */
export type Run = (action: (tools: Tools) => Promise<unknown>) => Promise<void>
