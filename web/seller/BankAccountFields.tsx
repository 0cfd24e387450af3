import { TriangleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'
import { bankDigits, inGroups, isRoutingNumber } from '#domain/payment-methods.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { useWords } from '#web/words/words.ts'

/** Routing and account number. Below each, what was typed is repeated in groups, to compare with a check. */
export function BankAccountFields({ routing, account }: BankAccountFieldsProps) {
  const t = useWords()
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        label={t('payments.routingNumber')}
        placeholder={t('payments.routingNumber.example')}
        hint={bankDigits(routing.typed).length >= 4 && <RoutingHint typed={routing.typed} />}
        {...shared}
        {...routing.field}
      />
      <TextField
        label={t('payments.accountNumber')}
        placeholder={t('payments.accountNumber.example')}
        hint={bankDigits(account.typed).length >= 4 && <ReadBack number={inGroups(account.typed, 4)} />}
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
function RoutingHint({ typed }: { typed: string }) {
  const t = useWords()
  const number = inGroups(typed, 3)
  if (bankDigits(typed).length < 9 || isRoutingNumber(typed)) return <ReadBack number={number} />
  return (
    <span className="flex items-start gap-1.5 font-medium text-caution text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {t('payments.routingNumber.doubtful', { number })}
    </span>
  )
}

function ReadBack({ number }: { number: string }) {
  const t = useWords()
  return <span className="figures">{t('payments.readBack', { number })}</span>
}
