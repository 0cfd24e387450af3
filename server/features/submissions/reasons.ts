import { maskCards } from '#domain/card-number.ts'
import { isReasonCode, type ReasonCode, reasonCodes } from '#domain/reasons.ts'
import type { Context } from '#server/context.ts'
import { mayNow, type Rights } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import {
  newDataKey,
  open,
  type SealContext,
  seal,
  unwrapKey,
  VaultError,
  wrapKey,
} from '#server/platform/vault/seal.ts'
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

/** The code of a reason from the list; null for any other text. */
export function listedCode(stored: StoredReason | null): ReasonCode | null {
  const code = stored?.reasonCode
  return code && isReasonCode(code) ? code : null
}

/** Seals the text of a move, bound to its entry in the history. */
export function sealReason(keys: KeyRing, card: SealedRow, version: number, text: string) {
  return sealText(keys, card, reasonContext(card.id, version), text)
}

/**
 * Seals a text under the data key of a submission.
 * @returns the sealed text and the wrapped data key, which is new if the submission had none
 */
export function sealText(
  keys: KeyRing,
  { id, dataKey: wrapped }: SealedRow,
  context: SealContext,
  text: string,
): { dataKey: Buffer; sealed: Buffer } {
  const dataKey = wrapped ? unwrapKey(keys, wrapped, dataKeyContext(id)) : newDataKey()
  try {
    return {
      dataKey: wrapped ?? wrapKey(keys, dataKey, dataKeyContext(id)),
      sealed: seal(dataKey, text, context),
    }
  } finally {
    dataKey.fill(0)
  }
}

/** The text that `sealText` sealed. Throws `VaultError` if its key is missing or it was tampered with. */
export function unsealText(
  keys: KeyRing,
  { id, dataKey: wrapped }: { id: string; dataKey: Buffer },
  context: SealContext,
  sealed: Buffer,
): string {
  const dataKey = unwrapKey(keys, wrapped, dataKeyContext(id))
  try {
    return open(dataKey, sealed, context).toString()
  } finally {
    dataKey.fill(0)
  }
}

export type Reader = 'seller' | Rights

/** What somebody wrote, as this reader may see it: without card numbers for staff who may not see cards. */
export function writtenFor<T extends string | null>(reader: Reader, text: T): T | string {
  return text === null || reader === 'seller' || mayNow(reader, 'reveal_cards') ? text : maskCards(text)
}

/**
 * The text in the reader's language if it is a reason, and otherwise as it was written. A remark if it cannot be opened, so
 * that lists stay readable; null if there is none.
 */
export function openReason(
  context: SealingContext,
  t: Translate,
  reader: Reader,
  card: ErasableRow,
  version: number,
  stored: StoredReason | null,
): string | null {
  const code = listedCode(stored)
  if (code) return t(`reasons.text.${code}`)
  if (!stored?.sealedReason) return null
  return openText(context, t, reader, card, reasonContext(card.id, version), stored.sealedReason)
}

export function erased({ secretsErasedAt }: { readonly secretsErasedAt: Date | null }): Refusal {
  if (!secretsErasedAt) return new Refusal('erased', 'refusals.erased')
  const params = { date: secretsErasedAt.toISOString().slice(0, 10) }
  return new Refusal('erased', 'refusals.erased_on', { params })
}

/** A row with its data key, or since when it is erased. */
type ErasableRow = SealedRow & { readonly secretsErasedAt: Date | string | null }

/** The text that `sealText` sealed, or a remark if it cannot be opened. */
export function openText(
  { keys, log }: SealingContext,
  t: Translate,
  reader: Reader,
  card: ErasableRow,
  context: SealContext,
  sealed: Buffer,
): string {
  if (!card.dataKey) return t('reasons.erased')
  try {
    return writtenFor(reader, unsealText(keys, { id: card.id, dataKey: card.dataKey }, context, sealed))
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    // A submission that was moved after its erasure has a new key, which does not open older texts.
    if (card.secretsErasedAt) return t('reasons.erased')
    log.error({ err, submission: card.id, text: context }, 'cannot open a text of a submission')
    return t('reasons.unreadable')
  }
}
