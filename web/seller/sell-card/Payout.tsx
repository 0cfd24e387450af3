import type { PaymentMethod } from '#contract/payment-methods.ts'
import { paymentRules } from '#domain/payment-methods.ts'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { accountHint, routingHint } from '../bank-hints.tsx'
import type { DraftFields } from './CardDetails.tsx'
import { fieldLabels } from './draft.ts'
import { FormSection } from './FormSection.tsx'
import { PayoutMethod } from './PayoutMethod.tsx'

type PayoutProps = DraftFields & { saved: readonly PaymentMethod[]; chosen: PaymentMethod | undefined }

/** How the seller wants to be paid: as saved in the profile, or as filled in here. */
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

function OtherMethod({ draft, onChange, errorAt }: DraftFields) {
  const { paymentType } = draft
  return (
    <>
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
    </>
  )
}

function BankAccount({ draft, onChange, errorAt }: DraftFields) {
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
        hint={routingHint(draft.paymentRoutingNumber)}
        error={errorAt('paymentRoutingNumber')}
        className="figures"
      />
      <TextField
        label={fieldLabels.paymentAccountNumber}
        name="paymentAccountNumber"
        inputMode="numeric"
        autoComplete="off"
        placeholder="4 to 17 digits"
        value={draft.paymentAccountNumber}
        hint={accountHint(draft.paymentAccountNumber)}
        onChange={(event) => onChange({ paymentAccountNumber: event.currentTarget.value })}
        error={errorAt('paymentAccountNumber')}
        className="figures"
      />
    </div>
  )
}
