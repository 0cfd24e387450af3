import { isReasonCode, type ReasonCode, reasonCodes } from '#domain/reasons.ts'
import type { Context } from '#server/context.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { newDataKey, open, seal, unwrapKey, VaultError, wrapKey } from '#server/platform/vault/seal.ts'
import type { Translate } from '#words/translate.ts'
import { dataKeyContext, reasonContext, type SealedRow } from './secrets.ts'

/** Stored instead of a text that could not be sealed, because the data key is erased or cannot be opened. */
export const UNSEALED = Buffer.alloc(0)

/** The text of a move as the history stores it: a reason by its code, anything else sealed. */
export interface StoredReason {
  /** `free_text` for what staff wrote themselves; null for sellers. */
  readonly reasonCode: ReasonCode | 'free_text' | null
  readonly sealedReason: Buffer | null
}

/** What sealing and opening texts needs. */
export type SealingContext = Pick<Context, 'keys' | 'log'>

/** The code of the reason that has this text or code. */
export function findReasonCode(t: Translate, text: string): ReasonCode | undefined {
  return reasonCodes.find((code) => text === code || text === t(`reasons.text.${code}`))
}

/**
 * Seals the text of a move, bound to its entry in the history.
 * @returns the sealed text and the wrapped data key, which is new if the submission had none
 */
export function sealReason(
  keys: KeyRing,
  { id, dataKey: wrapped }: SealedRow,
  version: number,
  text: string,
): { dataKey: Buffer; sealed: Buffer } {
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

/** The text that `sealReason` sealed. Throws `VaultError` if its key is missing or it was tampered with. */
export function unsealReason(
  keys: KeyRing,
  { id, dataKey: wrapped }: { id: string; dataKey: Buffer },
  version: number,
  sealed: Buffer,
): string {
  const dataKey = unwrapKey(keys, wrapped, dataKeyContext(id))
  try {
    return open(dataKey, sealed, reasonContext(id, version)).toString()
  } finally {
    dataKey.fill(0)
  }
}

/**
 * The text in the reader's language if it is a reason, and otherwise as it was written. A remark if it cannot be opened, so
 * that lists stay readable; null if there is none.
 */
export function openReason(
  { keys, log }: SealingContext,
  t: Translate,
  card: SealedRow & { readonly secretsErasedAt: Date | string | null },
  version: number,
  stored: StoredReason | null,
): string | null {
  const { reasonCode, sealedReason } = stored ?? {}
  if (reasonCode && isReasonCode(reasonCode)) return t(`reasons.text.${reasonCode}`)
  if (!sealedReason) return null
  if (!card.dataKey) return t('reasons.erased')
  try {
    return unsealReason(keys, { id: card.id, dataKey: card.dataKey }, version, sealedReason)
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    // A submission that was moved after its erasure has a new key, which does not open older texts.
    if (card.secretsErasedAt) return t('reasons.erased')
    log.error({ err, submission: card.id, version }, 'cannot open a text of the history')
    return t('reasons.unreadable')
  }
}
