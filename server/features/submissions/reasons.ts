import type { Context } from '#server/context.ts'
import { VaultError } from '#server/platform/vault/context.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { newDataKey, open, seal, unwrapKey, wrapKey } from '#server/platform/vault/seal.ts'
import { dataKeyContext, reasonContext, type SealedRow } from './secrets.ts'

/** Stored instead of a text that could not be sealed because the data key is erased or does not open. */
export const UNSEALED = Buffer.alloc(0)
/** Shown instead of a text whose key was erased. */
export const ERASED = '(This text was erased)'
/** What is shown instead of a text that was changed, moved, or sealed under a key that is not there. */
const UNREADABLE = '(This text cannot be read)'

/**
 * Seals what was written with a move, bound to its entry in the history.
 * @returns the sealed text, null without one, and the wrapped data key: a new one when the submission has none
 */
export function sealReason(
  keys: KeyRing,
  { id, dataKey: wrapped }: SealedRow,
  version: number,
  text: string | undefined,
): { dataKey: Buffer | null; sealed: Buffer | null } {
  if (text === undefined) return { dataKey: wrapped, sealed: null }
  const dataKey = wrapped ? unwrapKey(keys, wrapped, dataKeyContext(id)) : newDataKey()
  try {
    return {
      dataKey: wrapped ?? wrapKey(keys, dataKey, dataKeyContext(id)),
      sealed: seal(dataKey, text, reasonContext(id, version)),
    }
  } finally {
    dataKey.fill(0)
  }
}

/** The text again, or a remark that it is gone; null when there was none. One that does not open hides nothing else. */
export function openReason(
  { keys, log }: Pick<Context, 'keys' | 'log'>,
  card: SealedRow & { readonly secretsErasedAt: Date | string | null },
  version: number,
  sealed: Buffer | null,
): string | null {
  if (!sealed) return null
  if (!card.dataKey) return ERASED
  try {
    const dataKey = unwrapKey(keys, card.dataKey, dataKeyContext(card.id))
    try {
      return open(dataKey, sealed, reasonContext(card.id, version)).toString()
    } finally {
      dataKey.fill(0)
    }
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    // A submission that was erased and moved on has a new key; its older texts are gone.
    if (card.secretsErasedAt) return ERASED
    log.error({ err, submission: card.id, version }, 'a text of the history does not open')
    return UNREADABLE
  }
}
