import type { PaymentMethod } from '#contract/payment-methods.ts'
import { type PaymentType, paymentRules, paymentTypesOn } from '#domain/payment-methods.ts'
import { SelectField } from '#web/kit/SelectField.tsx'
import { type Draft, fieldLabels } from './draft.ts'

/** What a saved method's choice begins with; no type of payment looks like it. */
const SAVED = 'saved:'

const types = paymentTypesOn('submission').map((value) => ({ value, label: paymentRules[value].label }))

interface PayoutMethodProps {
  draft: Draft
  saved: readonly PaymentMethod[]
  chosen: PaymentMethod | undefined
  onChange: (part: Partial<Draft>) => void
  error: string | undefined
}

/** A saved payment method, or the type of another one. */
export function PayoutMethod({ draft, saved, chosen, onChange, error }: PayoutMethodProps) {
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

function choiceOf({ id, type, accountInfo }: PaymentMethod) {
  return { value: SAVED + id, label: `Saved: ${paymentRules[type].label} · ${accountInfo}` }
}
