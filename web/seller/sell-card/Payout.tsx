import { useQuery } from '@tanstack/react-query'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import { type PaymentType, paymentTypesOn } from '#domain/payment-methods.ts'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { read } from '#web/wire/read.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import { accountText } from '../account-text.ts'
import { BankAccountFields } from '../BankAccountFields.tsx'
import { type Draft, type DraftFields, fieldLabels, fieldProps } from './draft.ts'
import { FormSection } from './FormSection.tsx'

/** How the seller wants to be paid: with a method saved in the profile, or one entered here. */
export function Payout({ draft, onChange, errorAt, saved, chosen }: PayoutProps) {
  const t = useWords()
  return (
    <FormSection title={t('sellCard.payout')} intro={t('sellCard.payout.text')}>
      <PayoutMethod
        draft={draft}
        saved={saved}
        chosen={chosen}
        onChange={onChange}
        error={errorAt('paymentType') ?? errorAt('paymentMethodId')}
      />
      {chosen ? (
        <SavedMethod method={chosen} />
      ) : (
        <OtherMethod draft={draft} onChange={onChange} errorAt={errorAt} />
      )}
    </FormSection>
  )
}

type PayoutProps = DraftFields & { saved: readonly PaymentMethod[]; chosen: PaymentMethod | undefined }

function SavedMethod({ method }: { method: PaymentMethod }) {
  const t = useWords()
  return (
    <Ledger className="border-line border-y text-sm">
      <LedgerRow long name={t(fieldLabels.paymentAccountName)}>
        {method.accountName}
      </LedgerRow>
      <LedgerRow long name={t(fieldLabels.paymentAccountInfo)}>
        {accountText(t, method.accountInfo)}
      </LedgerRow>
    </Ledger>
  )
}

function OtherMethod(fields: DraftFields) {
  const t = useWords()
  const { paymentType, paymentRoutingNumber, paymentAccountNumber } = fields.draft
  return (
    <>
      <TextField
        {...fieldProps(fields, 'paymentAccountName')}
        label={t(fieldLabels.paymentAccountName)}
        autoComplete="name"
      />
      {paymentType === 'bank_transfer' ? (
        <BankAccountFields
          routing={{ typed: paymentRoutingNumber, field: fieldProps(fields, 'paymentRoutingNumber') }}
          account={{ typed: paymentAccountNumber, field: fieldProps(fields, 'paymentAccountNumber') }}
        />
      ) : (
        <TextField
          {...fieldProps(fields, 'paymentAccountInfo')}
          label={t(fieldLabels.paymentAccountInfo)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={paymentType && t(`payments.account.${paymentType}`)}
          placeholder={paymentType && t(`payments.example.${paymentType}`)}
        />
      )}
    </>
  )
}

/** Prefix of a saved method's option value; the other options are payment types. */
const SAVED = 'saved:'

const types = paymentTypesOn('submission', shopBrand.payoutMethods)

function PayoutMethod({ draft, saved, chosen, onChange, error }: PayoutMethodProps) {
  const t = useWords()
  const savedChoices = saved
    .filter(({ isActive }) => isActive)
    .map(({ id, type, accountInfo }) => {
      const texts = { method: t(`payments.type.${type}`), account: accountText(t, accountInfo) }
      return { value: SAVED + id, label: t('sellCard.paymentType.saved', texts) }
    })
  const typeChoices = types.map((value) => ({ value, label: t(`payments.type.${value}`) }))
  function choose(value: string) {
    if (value.startsWith(SAVED)) onChange({ paymentMethodId: value.slice(SAVED.length), paymentType: '' })
    else onChange({ paymentMethodId: '', paymentType: value as PaymentType | '' })
  }
  return (
    <SelectField
      label={t(fieldLabels.paymentType)}
      name="paymentType"
      choices={[...savedChoices, ...typeChoices]}
      placeholder={t('sellCard.paymentType.choose')}
      value={chosen ? SAVED + chosen.id : draft.paymentType}
      onChange={(event) => choose(event.currentTarget.value)}
      error={error}
    />
  )
}

interface PayoutMethodProps {
  draft: Draft
  saved: readonly PaymentMethod[]
  chosen: PaymentMethod | undefined
  onChange: (part: Partial<Draft>) => void
  error: string | undefined
}

/** The saved payment methods and the chosen one, which is the default until the seller chooses. */
export function useSavedMethods(draft: Draft) {
  // If they can't be loaded, the seller can still enter an account.
  const { data: methods = [] } = useQuery(read(routes.paymentMethods, {}))
  return { methods, chosen: chosenMethod(methods, draft) }
}

function chosenMethod(
  methods: readonly PaymentMethod[],
  { paymentMethodId, paymentType }: Draft,
): PaymentMethod | undefined {
  const nothingChosen = paymentMethodId === undefined && paymentType === ''
  return methods.find(
    ({ id, isDefault, isActive }) => isActive && (nothingChosen ? isDefault : id === paymentMethodId),
  )
}
