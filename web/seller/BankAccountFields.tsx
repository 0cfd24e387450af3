import { TriangleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'
import { bankDigits, inGroups, isRoutingNumber } from '#domain/payment-methods.ts'
import { TextField } from '#web/kit/TextField.tsx'

/** Routing and account number. Below each, what was typed is repeated in groups, to compare with a check. */
export function BankAccountFields({ routing, account }: BankAccountFieldsProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        label="Routing number"
        placeholder="9 digits"
        hint={routingHint(routing.typed)}
        {...shared}
        {...routing.field}
      />
      <TextField
        label="Account number"
        placeholder="4 to 17 digits"
        hint={readBack(account.typed, 4)}
        {...shared}
        {...account.field}
      />
    </div>
  )
}

interface BankAccountFieldsProps {
  routing: BankNumber
  account: BankNumber
}

interface BankNumber {
  typed: string
  /** What connects the input to its form. */
  field: Omit<ComponentProps<typeof TextField>, 'label'>
}

const shared = { inputMode: 'numeric', autoComplete: 'off', className: 'figures' } as const

/** A wrong check digit is a warning, not an error: we may not know the bank. */
function routingHint(typed: string) {
  if (bankDigits(typed).length < 9 || isRoutingNumber(typed)) return readBack(typed, 3)
  return (
    <span className="flex items-start gap-1.5 font-medium text-caution text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {inGroups(typed, 3)} does not look like a routing number. Please check it again.
    </span>
  )
}

function readBack(typed: string, groupSize: number) {
  return (
    bankDigits(typed).length >= 4 && (
      <span className="figures">Please compare: {inGroups(typed, groupSize)}</span>
    )
  )
}
