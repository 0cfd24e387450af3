import { useQuery } from '@tanstack/react-query'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import { type PaymentType, paymentRules, paymentTypesOn } from '#domain/payment-methods.ts'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { read } from '#web/wire/read.ts'
import { BankAccountFields } from '../BankAccountFields.tsx'
import { type Draft, type DraftFields, fieldLabels, fieldProps } from './draft.ts'
import { FormSection } from './FormSection.tsx'

/** How the seller wants to be paid: with a method saved in the profile, or one entered here. */
export function Payout({ draft, onChange, errorAt, saved, chosen }: PayoutProps) {
  return (
    <FormSection title="Payout" intro="Where we send the money once your card is approved.">
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
  return (
    <Ledger className="border-line border-y text-sm">
      <LedgerRow long name={fieldLabels.paymentAccountName}>
        {method.accountName}
      </LedgerRow>
      <LedgerRow long name={fieldLabels.paymentAccountInfo}>
        {method.accountInfo}
      </LedgerRow>
    </Ledger>
  )
}

function OtherMethod(fields: DraftFields) {
  const { paymentType, paymentRoutingNumber, paymentAccountNumber } = fields.draft
  return (
    <>
      <TextField
        {...fieldProps(fields, 'paymentAccountName')}
        label={fieldLabels.paymentAccountName}
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
          label={fieldLabels.paymentAccountInfo}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={paymentType && paymentRules[paymentType].account}
          placeholder={paymentType && paymentRules[paymentType].example}
        />
      )}
    </>
  )
}

/** Prefix of a saved method's option value; the other options are payment types. */
const SAVED = 'saved:'

const types = paymentTypesOn('submission').map((value) => ({ value, label: paymentRules[value].label }))

function PayoutMethod({ draft, saved, chosen, onChange, error }: PayoutMethodProps) {
  function choose(value: string) {
    if (value.startsWith(SAVED)) onChange({ paymentMethodId: value.slice(SAVED.length), paymentType: '' })
    else onChange({ paymentMethodId: '', paymentType: value as PaymentType | '' })
  }
  return (
    <SelectField
      label={fieldLabels.paymentType}
      name="paymentType"
      choices={[...saved.filter(({ isActive }) => isActive).map(choiceOf), ...types]}
      placeholder="Choose how to be paid"
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

function choiceOf({ id, type, accountInfo }: PaymentMethod) {
  return { value: SAVED + id, label: `Saved: ${paymentRules[type].label} · ${accountInfo}` }
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
