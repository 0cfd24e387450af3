import { masked, visibleEnd } from './mask.ts'

/** What a seller writes when a card has no number (an e-code printed as a picture, for example). */
const NO_NUMBER = 'N/A'

// NFKC turns full-width digits into plain ones; \p{Cf} are the invisible characters that come along when a
// code is copied out of a mail; \p{Pd} and the minus sign are what people and printers use for a dash.
const SPACES_DASHES_INVISIBLES = /[\s\p{Cf}\p{Pd}\u2212]/gu

/** The one spelling under which a number is compared: no spaces, no dashes, upper case. */
export function normalizeCardNumber(number: string): string {
  return number.normalize('NFKC').replace(SPACES_DASHES_INVISIBLES, '').toUpperCase()
}

/** Fewer letters and digits than any brand prints. */
const MIN_LENGTH = 4

/** What is wrong with a number that was entered. Brands use letters and digits freely, so only its length is checked. */
export function cardNumberProblem(number: string): string | undefined {
  if (isNoCardNumber(number)) return undefined
  const characters = normalizeCardNumber(number).match(/[\p{L}\p{N}]/gu) ?? []
  if (characters.length >= MIN_LENGTH) return undefined
  return `Please enter the whole card number, or ${NO_NUMBER} if the card has none`
}

/** Whether the seller said that there is no number. Such a card has no blind index and no last four. */
export function isNoCardNumber(number: string): boolean {
  return normalizeCardNumber(number) === NO_NUMBER
}

/**
 * The end of a number that may be stored and shown in the clear. `null` when there is no number at all; an empty string when
 * the number is a single character.
 */
export function lastFour(number: string): string | null {
  if (isNoCardNumber(number)) return null
  return visibleEnd(normalizeCardNumber(number))
}

/** How a number is displayed: `•••• 1234`; `N/A` for a card without a number. */
export function maskCardNumber(lastFour: string | null): string {
  return lastFour === null ? NO_NUMBER : masked(lastFour)
}
