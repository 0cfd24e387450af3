import type { Context } from '#server/context.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { newDataKey, open, seal, unwrapKey, VaultError, wrapKey } from '#server/platform/vault/seal.ts'
import { dataKeyContext, reasonContext, type SealedRow } from './secrets.ts'

/** Stored instead of a text that could not be sealed, because the data key is erased or cannot be opened. */
export const UNSEALED = Buffer.alloc(0)
/** Shown instead of a text whose key was erased. */
export const ERASED = '(This text was erased)'
/** Shown instead of a text that was tampered with, or sealed under a missing key. */
const UNREADABLE = '(This text cannot be read)'

/** What sealing and opening texts needs. */
export type SealingContext = Pick<Context, 'keys' | 'log'>

/**
 * Seals the text of a move, bound to its entry in the history.
 * @returns the sealed text (null without a text) and the wrapped data key, which is new if the submission had none
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

/** The text, or a remark if it cannot be opened; null if there is none. Does not throw, so that lists stay readable. */
export function openReason(
  { keys, log }: SealingContext,
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
    // A submission that was moved after its erasure has a new key, which does not open older texts.
    if (card.secretsErasedAt) return ERASED
    log.error({ err, submission: card.id, version }, 'cannot open a text of the history')
    return UNREADABLE
  }
}
