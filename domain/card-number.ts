/** Shown instead of hidden characters. */
export const MASK = '••••'

/** What a seller enters for a card without a number, for example an e-code printed as a picture. */
const NO_NUMBER = 'N/A'

/** Capital letters and digits, after Unicode's NFKC: what numbers and accounts are compared by. Leaves out invisible letters. */
export function lettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]|\p{DI}/gu, '')
}

/**
 * The form in which numbers are compared. Zeros and the letter O stay different. Leaves out letters of other alphabets, which only
 * numbers of earlier versions contain: they were added to make a number look new.
 */
export function normalizeCardNumber(number: string): string {
  return lettersAndDigits(number).replace(/[^A-Z0-9]/g, '')
}

/** Every brand prints at least this many letters and digits. */
const MIN_LENGTH = 4

/** The code of what is wrong with a number. Checks no pattern, as brands use letters and digits freely. */
export function cardNumberProblem(number: string): 'card_characters' | 'card_number_incomplete' | undefined {
  if (isNoCardNumber(number)) return undefined
  return (
    cardCharactersProblem(number) ??
    (normalizeCardNumber(number).length >= MIN_LENGTH ? undefined : 'card_number_incomplete')
  )
}

// \p{Pd} and the minus sign are the hyphens and dashes that people, printers and phones write. No `i`: it would allow more letters.
const CARD_CHARACTERS = /^[A-Za-z0-9\p{Zs}\p{Pd}\u2212]*$/u

/** Whether a number or PIN contains anything but letters, digits, spaces and hyphens. */
export function cardCharactersProblem(text: string): 'card_characters' | undefined {
  return isNoCardNumber(text) || CARD_CHARACTERS.test(text.normalize('NFKC').trim())
    ? undefined
    : 'card_characters'
}

/** Whether the seller entered N/A. Such a card has no last four. */
export function isNoCardNumber(number: string): boolean {
  return number.normalize('NFKC').replace(/\s/g, '').toUpperCase() === NO_NUMBER
}

/** Shorter PINs are shared by many cards. */
const MIN_CODE_LENGTH = 8

/**
 * Identifies the card of a submission: its number, or else the code in the PIN field. Null if it has neither.
 */
export function comparedNumber(cardNumber: string, pin = ''): string | null {
  const number = isNoCardNumber(cardNumber) ? '' : normalizeCardNumber(cardNumber)
  if (number.length >= MIN_LENGTH) return number
  const code = normalizeCardNumber(pin)
  return code.length >= MIN_CODE_LENGTH && /\d/.test(code) ? code : null
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

/**
 * A code after the words that announce it, as in "My PIN is 5521" and "código: 9AXQ-77KL". Postal codes and area codes are not
 * secret.
 */
const NAMED_CODE =
  /(?<![\p{L}\p{N}]|\b(?:area|country|discount|error|order|postal|promo|reference|zip)[ -])((?:pin|code|c[oó]digo|clave|cvv)(?:[\s:=#.-]|\b(?:is|was|number|no|code|es|era|n[uú]mero|de|la|tarjeta|seguridad)\b)+)(?:[\p{L}\p{Nd}]{3,}\p{Pd})*(?=\p{L}*\p{Nd})[\p{L}\p{Nd}]{3,}(?:\p{Pd}[\p{L}\p{Nd}]+)*/giu

/** Masks the PINs and codes that a text announces. */
export function maskNamedCodes(text: string): string {
  return text.replace(NAMED_CODE, `$1${MASK}`)
}

/** Whether a text seems to contain a card number, PIN or code, which doesn't belong in a chat. */
export function looksLikeCardNumber(text: string): boolean {
  return maskNamedCodes(maskCardLike(text)) !== text
}

/** Whether a text contains what looks like a card number or PIN, or the number or PIN of this card. */
export function revealsCard(text: string, numbers: readonly string[]): boolean {
  const compared = normalizeCardNumber(text)
  return (
    looksLikeCardNumber(text) ||
    numbers.map(normalizeCardNumber).some((number) => /\d.*\d/.test(number) && compared.includes(number))
  )
}

/** Masks what seems to be a card number. If there is one, also masks all other longer numbers: one may be the PIN. */
export function maskCardLike(text: string): string {
  const masked = text.replace(ID_OR_CARD_LIKE, (_found, id?: string) => id ?? MASK)
  return masked === text ? text : masked.replace(/\p{Nd}{3,}/gu, MASK)
}

/**
 * A code of letters and digits as cards have them, in groups or not, or capitals in groups of four to six. Not within an email
 * address. Ids match first.
 */
const ID_OR_CODE =
  /\b([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})\b|\b[A-Z\d]{4,6}(?: [A-Z\d]{4,6}){2,}\b|(?<![\p{L}\p{Nd}@._-])[\p{L}\p{Nd}]+(?:\p{Pd}[\p{L}\p{Nd}]+)*(?![\p{L}\p{Nd}@])/gu

/** Shorter codes are references and names. */
const isCode = (found: string) =>
  lettersAndDigits(found).length >= 10 && /\p{L}/u.test(found) && /\p{Nd}.*\p{Nd}/u.test(found)

/** Masks what seems to be a card's number, PIN or code, and then all longer numbers. */
export function maskCards(text: string): string {
  const masked = maskNamedCodes(maskCardLike(text)).replace(
    ID_OR_CODE,
    (found, id?: string) => id ?? (isCode(found) ? MASK : found),
  )
  return masked === text ? text : masked.replace(/\p{Nd}{3,}/gu, MASK)
}
