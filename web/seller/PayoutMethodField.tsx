import type { Ref } from 'react'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { type PaymentType, paymentTypesOn } from '#domain/payment-methods.ts'
import { Notice } from '#web/kit/Notice.tsx'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { Rich } from '#web/words/Rich.tsx'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import { accountName, accountText } from './account-text.ts'

/** Chooses a saved payment method, or the type of an account that is typed below. */
export function PayoutMethodField({ saved, chosen, type, onChoose, ...field }: PayoutMethodFieldProps) {
  const t = useWords()
  const savedChoices = saved
    .filter(({ isActive }) => isActive)
    .map(({ id, type, accountInfo, cameBackAt }) => {
      const texts = { method: t(`payments.type.${type}`), account: accountName(accountInfo) }
      const label = type === 'bank_transfer' ? 'payoutMethod.savedBank' : 'payoutMethod.saved'
      const method = t(label, texts)
      return { value: SAVED + id, label: cameBackAt ? t('payoutMethod.savedCameBack', { method }) : method }
    })
  const typeChoices = types.map((value) => ({ value, label: t(`payments.type.${value}`) }))
  function choose(value: string) {
    if (value.startsWith(SAVED)) onChoose({ paymentMethodId: value.slice(SAVED.length), paymentType: '' })
    else onChoose({ paymentMethodId: '', paymentType: value as PaymentType | '' })
  }
  return (
    <SelectField
      label={t('payoutMethod.label')}
      name="paymentType"
      choices={[...savedChoices, ...typeChoices]}
      placeholder={t('payoutMethod.choose')}
      value={chosen ? SAVED + chosen.id : type}
      onChange={(event) => choose(event.currentTarget.value)}
      {...field}
    />
  )
}

interface PayoutMethodFieldProps {
  saved: readonly PaymentMethod[]
  chosen: PaymentMethod | undefined
  type: PaymentType | ''
  onChoose: (choice: { paymentMethodId: string; paymentType: PaymentType | '' }) => void
  error: string | undefined
  ref?: Ref<HTMLSelectElement>
}

/** Prefix of a saved method's option value; the other options are payment types. */
const SAVED = 'saved:'

const types = paymentTypesOn('submission', shopBrand.payoutMethods)

export function SavedMethod({ method }: { method: PaymentMethod }) {
  const t = useWords()
  return (
    <>
      <Ledger className="border-line border-y text-sm">
        <LedgerRow long name={t('accountFields.holder')}>
          {method.accountName}
        </LedgerRow>
        <LedgerRow long name={t('accountFields.info')}>
          {accountText(t, method.accountInfo)}
        </LedgerRow>
      </Ledger>
      {method.cameBackAt && <CameBack method={method} />}
      {method.routingNumberSuspect && (
        <Notice tone="caution" title={t('accountFields.routingNumber.wrong')}>
          {t('accountFields.routingNumber.wrongText')}
        </Notice>
      )}
    </>
  )
}

/** Says that a saved account sent money back, so that the seller uses it only on purpose. */
export function CameBack({ method: { type, accountInfo, cameBackAt, problem } }: { method: PaymentMethod }) {
  const t = useWords()
  const values = { method: t(`payments.type.${type}`), account: accountText(t, accountInfo) }
  return (
    <Notice
      tone="caution"
      title={
        <span className="wrap-anywhere">
          <Rich
            id="payoutMethod.cameBack"
            values={values}
            tags={{ date: () => <Time at={cameBackAt ?? ''} /> }}
          />
        </span>
      }
    >
      {problem ?? t('payoutMethod.cameBackText')}
    </Notice>
  )
}
