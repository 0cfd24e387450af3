import { isRoutingNumber, type PaymentType, paymentRules, paymentTypesOn } from '#domain/payment-methods.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import type { DraftFields } from './CardDetails.tsx'
import { fieldLabels } from './draft.ts'
import { FormSection } from './FormSection.tsx'

const choices = paymentTypesOn('submission').map((value) => ({ value, label: paymentRules[value].label }))

/** How the seller wants to be paid. */
export function Payout({ draft, onChange, errorAt }: DraftFields) {
  const { paymentType } = draft
  return (
    <FormSection title="Payout" intro="Where we send the money once your card is approved.">
      <SelectField
        label={fieldLabels.paymentType}
        name="paymentType"
        choices={choices}
        placeholder="Choose how to be paid"
        value={paymentType}
        onChange={(event) => onChange({ paymentType: event.currentTarget.value as PaymentType | '' })}
        error={errorAt('paymentType')}
      />
      <TextField
        label={fieldLabels.paymentAccountName}
        name="paymentAccountName"
        autoComplete="name"
        value={draft.paymentAccountName}
        onChange={(event) => onChange({ paymentAccountName: event.currentTarget.value })}
        error={errorAt('paymentAccountName')}
      />
      {paymentType === 'bank_transfer' ? (
        <BankAccount draft={draft} onChange={onChange} errorAt={errorAt} />
      ) : (
        <TextField
          label={fieldLabels.paymentAccountInfo}
          name="paymentAccountInfo"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.paymentAccountInfo}
          onChange={(event) => onChange({ paymentAccountInfo: event.currentTarget.value })}
          hint={paymentType && paymentRules[paymentType].account}
          placeholder={paymentType && paymentRules[paymentType].example}
          error={errorAt('paymentAccountInfo')}
        />
      )}
    </FormSection>
  )
}

function BankAccount({ draft, onChange, errorAt }: DraftFields) {
  const routing = draft.paymentRoutingNumber.trim()
  // A wrong check digit is pointed out and not refused: the number may be right for a bank we don't know.
  const doubtful = routing.length >= 9 && !isRoutingNumber(routing)
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        label={fieldLabels.paymentRoutingNumber}
        name="paymentRoutingNumber"
        inputMode="numeric"
        autoComplete="off"
        placeholder="9 digits"
        value={draft.paymentRoutingNumber}
        onChange={(event) => onChange({ paymentRoutingNumber: event.currentTarget.value })}
        hint={doubtful ? 'This does not look like a routing number. Please check it once more.' : undefined}
        error={errorAt('paymentRoutingNumber')}
        className="figures"
      />
      <TextField
        label={fieldLabels.paymentAccountNumber}
        name="paymentAccountNumber"
        inputMode="numeric"
        autoComplete="off"
        value={draft.paymentAccountNumber}
        onChange={(event) => onChange({ paymentAccountNumber: event.currentTarget.value })}
        error={errorAt('paymentAccountNumber')}
        className="figures"
      />
    </div>
  )
}
