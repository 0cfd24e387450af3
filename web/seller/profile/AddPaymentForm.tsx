import { routes } from '#contract/routes.ts'
import { paymentTypesOn } from '#domain/payment-methods.ts'
import { ActionForm } from '#web/forms/ActionForm.tsx'
import { toastOf } from '#web/forms/use-call-form.ts'
import { SelectField } from '#web/kit/SelectField.tsx'
import { call } from '#web/wire/call.ts'
import { useSession } from '#web/wire/session.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import { paymentMethodIn } from '#words/payment-method.ts'
import { AccountFields, emptyAccount, useRoutingWarning, withoutOtherKind } from '../AccountFields.tsx'
import { ownName } from '../account-text.ts'

export function AddPaymentForm({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { user } = useSession()
  const routingWarning = useRoutingWarning()
  return (
    <ActionForm
      schema={() => import('#contract/payment-methods.ts').then((contract) => contract.newPaymentMethod)}
      start={{ ...emptyAccount, accountName: user ? ownName(user) : '' }}
      warn={({ type, routingNumber }) =>
        routingWarning.stops(type, routingNumber)
          ? [{ path: 'routingNumber', code: 'routing_number_doubtful' }]
          : []
      }
      send={(method) => call(routes.addPaymentMethod, { body: withoutOtherKind(method) })}
      failed={toastOf(t('paymentMethod.addFailed'), t('paymentMethod.addFailedText'))}
      done={({ type }) => ({
        title: t('paymentMethod.added'),
        description: t('paymentMethod.addedText', { method: paymentMethodIn(t, type) }),
      })}
      refreshes={[routes.paymentMethods]}
      onDone={onClose}
      cancel={t('paymentMethod.cancel')}
      onCancel={onClose}
      submit={t('paymentMethod.add')}
    >
      {(field, form) => (
        <>
          <SelectField
            label={t('paymentMethod.type')}
            choices={types.map((value) => ({ value, label: t(`payments.type.${value}`) }))}
            placeholder={t('paymentMethod.type.choose')}
            {...field('type')}
          />
          <AccountFields
            type={form.values.type}
            holder={{
              ...field('accountName'),
              label: t('paymentMethod.accountName'),
              hint: t('paymentMethod.accountName.hint'),
            }}
            info={field('accountInfo')}
            routing={{ typed: form.values.routingNumber ?? '', field: field('routingNumber') }}
            account={{ typed: form.values.accountNumber ?? '', field: field('accountNumber') }}
            kind={{
              selected: form.values.accountType ?? 'checking',
              onSelect: (accountType) => form.setValue('accountType', accountType),
            }}
          />
        </>
      )}
    </ActionForm>
  )
}

const types = paymentTypesOn('profile', shopBrand.payoutMethods)
