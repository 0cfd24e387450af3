import { MASK } from './mask.ts'

/**
 * Thirteen digits or more, as people write card numbers: in groups, with spaces, dashes or dots between them.
 * Card numbers have up to nineteen (ISO/IEC 7812-1); a longer run may be one with its PIN behind it. The
 * compatibility digits and the invisible characters are the ones that a copied number brings along.
 *
 * An id of ours that somebody quotes can have as many digits in a row; it goes first, so that it is passed over.
 */
const ID_OR_CARD_LIKE =
  /\b([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})\b|\p{Nd}(?:[\s\p{Cf}\p{Pd}\u2212._/]{0,3}\p{Nd}){12,}/giu

/** Whether a text seems to hold a card number, which doesn't belong in a chat. */
export function looksLikeCardNumber(text: string): boolean {
  return maskCardLike(text) !== text
}

/**
 * The text without what seems to be a card number, the last digits included, as they may be its PIN; and beside
 * a card number without all other longer numbers, as one of them may be the PIN.
 */
export function maskCardLike(text: string): string {
  const masked = text.replace(ID_OR_CARD_LIKE, (_found, id?: string) => id ?? MASK)
  return masked === text ? text : masked.replace(/\p{Nd}{3,}/gu, MASK)
}
