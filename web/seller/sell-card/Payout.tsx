import { useQuery } from '@tanstack/react-query'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import { MAX_PAYMENT_METHODS } from '#domain/payment-methods.ts'
import { CheckField } from '#web/kit/CheckField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { AccountFields } from '../AccountFields.tsx'
import { CameBack, PayoutMethodField, SavedMethod } from '../PayoutMethodField.tsx'
import { type Draft, type DraftFields, fieldLabels, fieldProps } from './draft.ts'
import { FormSection } from './FormSection.tsx'

/** How the seller wants to be paid: with a method saved in the profile, or one entered here. */
export function Payout({ draft, onChange, errorAt, count, saved, chosen }: PayoutProps) {
  const t = useWords()
  const fields = { draft, onChange, errorAt }
  const skipped = isUntouched(draft) && saved.find(({ isDefault, cameBackAt }) => isDefault && cameBackAt)
  return (
    <FormSection title={t('sellCard.payout')} intro={t('sellCard.payout.text', { count })}>
      <PayoutMethodField
        saved={saved}
        chosen={chosen}
        type={draft.paymentType}
        onChoose={onChange}
        error={errorAt('paymentType') ?? errorAt('paymentMethodId')}
      />
      {skipped && <CameBack method={skipped} />}
      {chosen ? (
        <SavedMethod method={chosen} />
      ) : (
        <AccountFields
          type={draft.paymentType}
          holder={{ ...fieldProps(fields, 'paymentAccountName'), label: t(fieldLabels.paymentAccountName) }}
          info={fieldProps(fields, 'paymentAccountInfo')}
          routing={{ typed: draft.paymentRoutingNumber, field: fieldProps(fields, 'paymentRoutingNumber') }}
          account={{ typed: draft.paymentAccountNumber, field: fieldProps(fields, 'paymentAccountNumber') }}
          kind={{
            selected: draft.paymentAccountType,
            onSelect: (paymentAccountType) => onChange({ paymentAccountType }),
          }}
        />
      )}
      {!chosen && draft.paymentType && saved.length < MAX_PAYMENT_METHODS && (
        <CheckField
          label={t('sellCard.remember')}
          checked={draft.paymentRemembered}
          onChange={({ currentTarget: { checked } }) => onChange({ paymentRemembered: checked })}
        />
      )}
      {!chosen?.cameBackAt && <ExpectedDay type={chosen?.type ?? draft.paymentType} count={count} />}
    </FormSection>
  )
}

interface PayoutProps extends DraftFields {
  /** Of the cards to be paid. */
  count: number
  saved: readonly PaymentMethod[]
  chosen: PaymentMethod | undefined
}

/** The saved payment methods and the chosen one: until the seller chooses, the default, unless it sent money back. */
export function useSavedMethods(draft: Draft) {
  // If they can't be loaded, the seller can still enter an account.
  const { data: methods = [] } = useQuery(read(routes.paymentMethods, {}))
  return { methods, chosen: chosenMethod(methods, draft) }
}

function chosenMethod(methods: readonly PaymentMethod[], draft: Draft): PaymentMethod | undefined {
  if (isUntouched(draft)) return methods.find((method) => isDefault(method) && !method.cameBackAt)
  return methods.find(({ id, isActive }) => isActive && id === draft.paymentMethodId)
}

const isUntouched = ({ paymentMethodId, paymentType }: Draft) =>
  paymentMethodId === undefined && paymentType === ''

const isDefault = (method: PaymentMethod) => method.isActive && method.isDefault

/** The day by which the money should arrive if the cards are submitted now. Nothing if it is not known. */
function ExpectedDay({ type, count }: { type: string; count: number }) {
  const { user } = useSession()
  const days = useQuery(read(routes.expectedPayoutDays, {}))
  const day = days.data?.find(({ paymentType }) => paymentType === type)
  if (!day || user?.mustConfirmEmail) return null
  return (
    <p className="text-soft text-sm">
      <Rich
        id="payoutStatus.expected"
        values={{ count }}
        tags={{ date: () => <Time at={day.expectedOn} as="weekday" /> }}
      />
    </p>
  )
}
