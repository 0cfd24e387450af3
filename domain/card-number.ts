/** Shown instead of hidden characters. */
export const MASK = '••••'

/** What a seller enters for a card without a number, for example an e-code printed as a picture. */
const NO_NUMBER = 'N/A'

// NFKC turns full-width digits into plain ones. \p{Cf} are invisible characters, which copied text often contains; \p{Pd}
// and the minus sign are the dashes that people and printers use.
const SPACES_DASHES_INVISIBLES = /[\s\p{Cf}\p{Pd}\u2212]/gu

/** The form in which numbers are compared: no spaces, no dashes, upper case. */
export function normalizeCardNumber(number: string): string {
  return number.normalize('NFKC').replace(SPACES_DASHES_INVISIBLES, '').toUpperCase()
}

/** Every brand prints at least this many letters and digits. */
const MIN_LENGTH = 4

/** The code of what is wrong with a number. Checks only the length, as brands use letters and digits freely. */
export function cardNumberProblem(number: string): 'card_number_incomplete' | undefined {
  if (isNoCardNumber(number)) return undefined
  const characters = normalizeCardNumber(number).match(/[\p{L}\p{N}]/gu) ?? []
  return characters.length >= MIN_LENGTH ? undefined : 'card_number_incomplete'
}

/** Whether the seller entered N/A. Such a card has no blind index and no last four. */
export function isNoCardNumber(number: string): boolean {
  return normalizeCardNumber(number) === NO_NUMBER
}

/** The end of a number, which may be stored and shown unsealed. Null if the card has no number. */
export function lastFour(number: string): string | null {
  return isNoCardNumber(number) ? null : visibleEnd(normalizeCardNumber(number))
}

/** `•••• 1234`, or `N/A` for a card without a number. */
export function maskCardNumber(lastFour: string | null): string {
  return lastFour === null ? NO_NUMBER : masked(lastFour)
}

/** `•••• 1234` */
export function masked(end: string): string {
  return end === '' ? MASK : `${MASK} ${end}`
}

/** The last four characters, but at most half of a short text. */
export function visibleEnd(text: string): string {
  const characters = [...text]
  const shown = Math.min(4, Math.floor(characters.length / 2))
  return characters.slice(characters.length - shown).join('')
}

/**
 * Thirteen or more digits, in groups with spaces, dashes or dots between them. Card numbers have up to nineteen (ISO/IEC
 * 7812-1); a longer run may be a number followed by its PIN. A submission's id can look like that, so ids match first.
 */
const ID_OR_CARD_LIKE =
  /\b([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})\b|\p{Nd}(?:[\s\p{Cf}\p{Pd}\u2212._/]{0,3}\p{Nd}){12,}/giu

/** Four or more digits, in groups or not, or a code of letters and digits. Ids match first. */
const ID_OR_NUMBER =
  /\b([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})\b|(?:\p{Nd}[\s\p{Cf}\p{Pd}\u2212._/]{0,3}){3,}\p{Nd}|(?=\p{L}*\p{Nd})[\p{L}\p{Nd}]{4,}/giu

/** Masks every number and code of four or more characters, for what can never be erased. Keeps ids of submissions. */
export function maskNumbers(text: string): string {
  return text.replace(ID_OR_NUMBER, (_found, id?: string) => id ?? MASK)
}

/** Whether a text seems to contain a card number, which doesn't belong in a chat. */
export function looksLikeCardNumber(text: string): boolean {
  return maskCardLike(text) !== text
}

/** Masks what seems to be a card number. If there is one, also masks all other longer numbers: one may be the PIN. */
export function maskCardLike(text: string): string {
  const masked = text.replace(ID_OR_CARD_LIKE, (_found, id?: string) => id ?? MASK)
  return masked === text ? text : masked.replace(/\p{Nd}{3,}/gu, MASK)
}
