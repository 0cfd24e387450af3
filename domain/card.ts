export const cardFormats = ['physical', 'digital'] as const
export type CardFormat = (typeof cardFormats)[number]

export const cardConditions = ['brand_new', 'partially_used'] as const
export type CardCondition = (typeof cardConditions)[number]

const PHOTOGRAPHED_ON_BOTH_SIDES = ['visa', 'mastercard', 'onevanilla']
const EXPIRING = ['visa', 'mastercard']

/** The number of photos a submission needs: front and back for physical Visa, Mastercard and OneVanilla cards. */
export function photosRequired(brand: string, format: CardFormat | undefined): 1 | 2 {
  return PHOTOGRAPHED_ON_BOTH_SIDES.includes(brand) && format !== 'digital' ? 2 : 1
}

/** Whether the expiration date is required. */
export function expirationRequired(brand: string): boolean {
  return EXPIRING.includes(brand)
}

/** MM/YY. */
export const EXPIRATION_DATE = /^(0[1-9]|1[0-2])\/\d{2}$/

/** Whether the month of an expiration date is over. False for anything that is not MM/YY. */
export function hasExpired(date: string, today = new Date()): boolean {
  const [month, year] = date.split('/')
  return EXPIRATION_DATE.test(date) && `20${year}-${month}` < today.toISOString().slice(0, 7)
}
