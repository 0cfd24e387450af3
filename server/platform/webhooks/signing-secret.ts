import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { openRow, type SealedRow, sealRow } from '#server/platform/vault/seal.ts'
import { newWebhookSecret } from './signed-post.ts'

/** For how long requests are signed with the secret before the last one too. */
export const PREVIOUS_SECRET_HOURS = 24

/** A column of a row with `rotated_at`: whether the secret before the last one still signs. */
export const previousSigns = sql<boolean>`coalesce(rotated_at > now() - make_interval(hours => ${sql.raw(String(PREVIOUS_SECRET_HOURS))}), false)`

export interface SecretColumns {
  readonly dataKey: Buffer
  readonly secret: Buffer
  readonly previousSecret: Buffer | null
}

/** A secret that signs requests, and the columns that keep it sealed. Keeps the secret of an earlier row, which signs too for a day. */
export function makeSigningSecret(keys: KeyRing, row: SealedRow, earlier?: SecretColumns) {
  const secret = newWebhookSecret(randomBytes(32))
  const previous = earlier && openRow(keys, row, earlier.dataKey, { secret: earlier.secret }).secret
  const { dataKey, sealed } = sealRow(keys, row, { secret, previous_secret: previous ?? null })
  const columns: SecretColumns = {
    dataKey,
    secret: sealed.secret ?? Buffer.alloc(0),
    previousSecret: sealed.previous_secret,
  }
  return { secret, columns }
}

/** The secrets that sign now. */
export function openSigningSecrets(
  keys: KeyRing,
  row: SealedRow,
  { dataKey, secret, previousSecret }: SecretColumns,
  previousSigns: boolean,
): string[] {
  const sealed = { secret, previous_secret: previousSigns ? previousSecret : null }
  return Object.values(openRow(keys, row, dataKey, sealed)).filter((one) => one !== null)
}
