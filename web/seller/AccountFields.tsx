import { type ComponentProps, type ReactNode, useState } from 'react'
import type { z } from 'zod'
import type { newPaymentMethod, payoutAccount } from '#contract/payment-methods.ts'
import {
  type AccountType,
  accountTypes,
  bankDigits,
  inGroups,
  isRoutingNumber,
  type PaymentType,
} from '#domain/payment-methods.ts'
import { ChoiceField } from '#web/kit/ChoiceField.tsx'
import { FieldWarning } from '#web/kit/Field.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { useWords } from '#web/words/words.ts'

/** The holder of a payout account and what identifies it: a bank account has two numbers. */
export function AccountFields({ type, holder, info, ...bank }: AccountFieldsProps) {
  const t = useWords()
  return (
    <>
      <TextField autoComplete="name" {...holder} />
      {type === 'bank_transfer' ? (
        <BankAccountFields {...bank} />
      ) : (
        <TextField
          label={
            type && type !== 'other' ? (
              <>
                <span className="sr-only">{t('accountFields.info')}: </span>
                {t(`accountFields.account.${type}`)}
              </>
            ) : (
              t('accountFields.info')
            )
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={type && t(`accountFields.example.${type}`)}
          {...info}
        />
      )}
    </>
  )
}

interface AccountFieldsProps extends BankAccountFieldsProps {
  type: PaymentType | '' | undefined
  holder: FieldProps & { label: string; hint?: ReactNode }
  info: FieldProps
}

/** What connects an input to its form. */
type FieldProps = Omit<ComponentProps<typeof TextField>, 'label'>

export const emptyAccount: Partial<z.input<typeof newPaymentMethod>> = {
  accountName: '',
  accountInfo: '',
  routingNumber: '',
  accountNumber: '',
  accountType: 'checking',
}

/** Drops text typed for the other kind of account before the type was changed. */
export function withoutOtherKind<Typed extends Partial<z.input<typeof payoutAccount>>>({
  accountInfo,
  routingNumber,
  accountNumber,
  accountType,
  ...rest
}: Typed) {
  return rest.type === 'bank_transfer'
    ? { ...rest, routingNumber, accountNumber, accountType }
    : { ...rest, accountInfo }
}

/** Stops the first submission of a routing number with a wrong check digit. The same number passes then: we may not know the bank. */
export function useRoutingWarning() {
  const [warned, setWarned] = useState<string>()
  return {
    warned,
    stops(type: PaymentType | '' | undefined, number = ''): boolean {
      if (type !== 'bank_transfer' || isRoutingNumber(number) || warned === number) return false
      setWarned(number)
      return true
    },
  }
}

/** Below each number, what was typed is repeated in groups, to compare with a check. */
function BankAccountFields({ routing, account, kind }: BankAccountFieldsProps) {
  const t = useWords()
  // Without an account number, the error says that both are missing.
  const isWrong = routing.field.error && account.typed
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        label={t('accountFields.routingNumber')}
        placeholder={t('accountFields.routingNumber.example')}
        hint={!isWrong && bankDigits(routing.typed).length >= 4 && <RoutingHint typed={routing.typed} />}
        {...shared}
        {...routing.field}
      />
      <TextField
        label={t('accountFields.accountNumber')}
        placeholder={t('accountFields.accountNumber.example')}
        hint={bankDigits(account.typed).length >= 4 && <ReadBack number={inGroups(account.typed, 4)} />}
        {...shared}
        {...account.field}
      />
      <div className="sm:col-span-2">
        <ChoiceField
          label={t('accountFields.type')}
          name="accountType"
          choices={accountTypes.map((value) => ({ value, label: t(`accountFields.type.${value}`) }))}
          selected={kind.selected}
          onSelect={kind.onSelect}
        />
      </div>
    </div>
  )
}

interface BankAccountFieldsProps {
  routing: BankNumber
  account: BankNumber
  kind: { selected: AccountType; onSelect: (type: AccountType) => void }
}

interface BankNumber {
  typed: string
  field: FieldProps
}

const shared = { inputMode: 'numeric', autoComplete: 'off', className: 'figures' } as const

/** A wrong check digit is a warning while typing, not an error: we may not know the bank. */
function RoutingHint({ typed }: { typed: string }) {
  const t = useWords()
  const number = inGroups(typed, 3)
  if (bankDigits(typed).length < 9 || isRoutingNumber(typed)) return <ReadBack number={number} />
  return <FieldWarning>{t('accountFields.routingNumber.doubtful', { number })}</FieldWarning>
}

function ReadBack({ number }: { number: string }) {
  const t = useWords()
  return <span className="figures">{t('accountFields.readBack', { number })}</span>
}
