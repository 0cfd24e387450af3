import { useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { type PaymentType, paymentTypesOn } from '#domain/payment-methods.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { refresh } from '#web/wire/read.ts'
import { toastOf, useCallForm } from '#web/wire/use-call-form.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import { AccountFields, emptyAccount, withoutOtherKind } from '../AccountFields.tsx'

export function AddPaymentForm({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: () => import('#contract/payment-methods.ts').then((contract) => contract.newPaymentMethod),
    start: emptyAccount,
    send: (method) => call(routes.addPaymentMethod, { body: withoutOtherKind(method) }),
    onDone: ({ type }) => {
      toast({
        title: t('paymentMethod.added'),
        description: t('paymentMethod.addedText', { method: t(`payments.type.${type}`) }),
      })
      onClose()
      void refresh(client, routes.paymentMethods)
    },
    failed: toastOf(t('paymentMethod.addFailed'), t('paymentMethod.addFailedText')),
  })
  const type: PaymentType | undefined = form.values.type

  return (
    <Form onSubmit={submit}>
      <SelectField
        label={t('paymentMethod.type')}
        choices={types.map((value) => ({ value, label: t(`payments.type.${value}`) }))}
        placeholder={t('paymentMethod.type.choose')}
        {...field('type')}
      />
      <AccountFields
        type={type}
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
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onClose}>
          {t('paymentMethod.cancel')}
        </Button>
        <Button type="submit" loading={sending.isPending}>
          {t(sending.isPending ? 'paymentMethod.adding' : 'paymentMethod.add')}
        </Button>
      </div>
    </Form>
  )
}

const types = paymentTypesOn('profile', shopBrand.payoutMethods)
