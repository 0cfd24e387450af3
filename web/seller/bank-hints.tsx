import { TriangleAlert } from 'lucide-react'
import { bankDigits, inGroups, isRoutingNumber } from '#domain/payment-methods.ts'

/**
 * Shows the routing number in groups, to compare with a check. A wrong check digit is a warning, not an error: the
 * number may belong to a bank that we don't know.
 */
export function routingHint(typed: string) {
  const digits = bankDigits(typed)
  if (digits.length >= 9 && !isRoutingNumber(typed)) {
    return (
      <span className="flex items-start gap-1.5 font-medium text-caution text-sm">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {inGroups(typed, 3)} does not look like a routing number. Please check it again.
      </span>
    )
  }
  return readBack(typed, 3)
}

/** The account number in groups. */
export const accountHint = (typed: string) => readBack(typed, 4)

function readBack(typed: string, size: number) {
  return (
    bankDigits(typed).length >= 4 && <span className="figures">Please compare: {inGroups(typed, size)}</span>
  )
}
