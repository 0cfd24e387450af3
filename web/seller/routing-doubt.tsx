import { TriangleAlert } from 'lucide-react'
import { isRoutingNumber } from '#domain/payment-methods.ts'

/**
 * The hint at a routing number whose check digit is wrong. It is pointed out and not refused: the number may be right
 * for a bank that we don't know.
 */
export function routingDoubt(typed: string) {
  const number = typed.trim()
  if (number.length < 9 || isRoutingNumber(number)) return undefined
  return (
    <span className="flex items-start gap-1.5 font-medium text-caution text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      This does not look like a routing number. Please check it once more.
    </span>
  )
}
