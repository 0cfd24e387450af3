import { photosRequired } from './card.ts'
import { cardNumberProblem, normalizeCardNumber } from './card-number.ts'

/**
 * The barcodes in which gift cards carry their number, as the browser's detector and zxing call them. All three detect
 * errors. EAN and UPC hold the product code; Code 39 and ITF can be misread without notice.
 */
export const scannedBarcodes = { code_128: 'Code128', pdf417: 'PDF417', qr_code: 'QRCode' } as const

/** Pixels of the longer side: large for narrow bars, small because shrinking removes the noise of dark photos. */
const SIDES = [1600, 1000]

/** Degrees. Bars are found along lines across and down the photo, so a card that lies at an angle needs a turn. */
const ANGLES = [0, 15, 30, 45, 60, 75]

/** Maximum numbers to suggest from the photos of one card. */
const MAX_SUGGESTIONS = 3

/**
 * Reads the barcodes of one photo until a number was read twice, since a barcode is rarely misread twice in the same way.
 * @param read returns the texts of the barcodes, given the photo at this size and turned by this angle
 * @param brand of the card
 * @returns the numbers to suggest; empty if the photo shows no number or is not clear enough
 */
export async function scanNumbers(
  read: (side: number, angle: number) => Promise<readonly string[]>,
  brand: string,
): Promise<string[]> {
  const once = new Set<string>()
  const twice = new Set<string>()
  for (const angle of ANGLES) {
    for (const side of SIDES) {
      for (const text of new Set(await read(side, angle))) (once.has(text) ? twice : once).add(text)
    }
    const numbers = suggestedNumbers([...twice], brand)
    if (numbers.length > 0) return numbers
  }
  return []
}

// Digits up to the longest card number (ISO/IEC 7812-1): packages carry 20 to 31 digits that only activate the card.
const NUMBER = /^(\d{10,19}|(?=[A-Z]*\d)[A-Z\d]{10,25})$/

/**
 * The texts of scanned barcodes that may be the card's number, in the form in which numbers are compared. Leaves out product
 * codes, activation codes and links. What remains can still be a serial number, so never fill it in without asking.
 */
export function suggestedNumbers(texts: readonly string[], brand: string): string[] {
  const numbers = texts
    .filter((text) => !cardNumberProblem(text))
    .map(normalizeCardNumber)
    .filter((number) => NUMBER.test(number) && !isProductCode(number))
    .filter((number) => !isPaymentCard(brand) || isPaymentCardNumber(number))
  return [...new Set(numbers)].slice(0, MAX_SUGGESTIONS)
}

/** Whether a typed number differs from every number on the photos. */
export function differsFromPhoto(typed: string, numbers: readonly string[]): boolean {
  const number = normalizeCardNumber(typed)
  return number !== '' && numbers.length > 0 && !numbers.includes(number)
}

/** A GTIN (UPC-A, EAN-13, GTIN-14), also behind GS1's identifier 01. */
function isProductCode(number: string): boolean {
  const code = /^(?:01(?=\d{14}$))?(\d{12,14})$/.exec(number)?.[1]
  return code !== undefined && checkSum(code, (digit) => digit * 3) % 10 === 0
}

/** Payment networks' cards are the ones that need photos of both sides. */
const isPaymentCard = (brand: string) => photosRequired(brand, 'physical') === 2

/** Whether it is as long as a network's number and passes the Luhn check (ISO/IEC 7812-1). */
function isPaymentCardNumber(number: string): boolean {
  return (
    /^\d{15,16}$/.test(number) &&
    checkSum(number, (digit) => (digit > 4 ? digit * 2 - 9 : digit * 2)) % 10 === 0
  )
}

/** The sum of all digits, every other one from the right weighted, beginning before the check digit. */
function checkSum(number: string, weigh: (digit: number) => number): number {
  const digits = [...number].reverse().map(Number)
  return digits.reduce((sum, digit, index) => sum + (index % 2 === 1 ? weigh(digit) : digit), 0)
}
