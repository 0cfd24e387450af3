import { isRoutingNumber } from '#domain/payment-methods.ts'

/**
 * What to say of a routing number whose check digit is wrong. It is pointed out and not refused: the number may be
 * right for a bank that we don't know.
 */
export function routingDoubt(typed: string): string | undefined {
  const number = typed.trim()
  if (number.length < 9 || isRoutingNumber(number)) return undefined
  return 'This does not look like a routing number. Please check it once more.'
}
