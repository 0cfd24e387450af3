import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type NewPaymentMethod, newPaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import { BankAccountFields } from '../BankAccountFields.tsx'

export function AddPaymentForm({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: newPaymentMethod,
    start: noMethodFields,
    send: (method) => call(routes.addPaymentMethod, { body: withoutOtherKind(method) }),
    onDone: ({ type }) => {
      toast({
        title: t('paymentMethod.added'),
        description: t('paymentMethod.addedText', { method: t(`payments.type.${type}`) }),
      })
      onClose()
      void refresh(client, routes.paymentMethods)
    },
    failed: (error) => ({
      title: t('paymentMethod.addFailed'),
      description: messageOf(error, t('paymentMethod.addFailedText')),
    }),
  })
  const type: PaymentType | undefined = form.watch('type')

  return (
    <Form onSubmit={submit}>
      <SelectField
        label={t('paymentMethod.type')}
        choices={profileTypes.map((value) => ({ value, label: t(`payments.type.${value}`) }))}
        placeholder={t('paymentMethod.type.choose')}
        {...field('type')}
      />
      <TextField
        label={t('paymentMethod.accountName')}
        autoComplete="name"
        hint={t('paymentMethod.accountName.hint')}
        {...field('accountName')}
      />
      {type === 'bank_transfer' ? (
        <BankAccountFields
          routing={{ typed: form.watch('routingNumber') ?? '', field: field('routingNumber') }}
          account={{ typed: form.watch('accountNumber') ?? '', field: field('accountNumber') }}
        />
      ) : (
        <TextField
          label={t('payments.info')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={type && type !== 'other' && t(`payments.account.${type}`)}
          placeholder={type && t(`payments.example.${type}`)}
          {...field('accountInfo')}
        />
      )}
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

/** In the order of section 2 of the spec. */
const profileTypes = (
  ['paypal', 'venmo', 'zelle', 'cash_app', 'chime', 'bank_transfer', 'other'] as const
).filter((type) => shopBrand.payoutMethods.includes(type))

type MethodFields = z.input<typeof newPaymentMethod>

const noMethodFields: Partial<MethodFields> = {
  accountName: '',
  accountInfo: '',
  routingNumber: '',
  accountNumber: '',
}

/** Drops text typed for the other kind of account before the type was changed. */
function withoutOtherKind({
  accountInfo,
  routingNumber,
  accountNumber,
  ...rest
}: NewPaymentMethod): MethodFields {
  return rest.type === 'bank_transfer' ? { ...rest, routingNumber, accountNumber } : { ...rest, accountInfo }
}
