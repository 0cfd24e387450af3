import { useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type NewPaymentMethod, newPaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import { type PaymentType, paymentRules } from '#domain/payment-methods.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { BankAccountFields } from '../BankAccountFields.tsx'

export function AddPaymentForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: newPaymentMethod,
    start: noMethodFields,
    send: (method) => call(routes.addPaymentMethod, { body: withoutOtherKind(method) }),
    onDone: ({ type }) => {
      toast({
        title: 'Payment Method Added',
        description: `You can choose ${paymentRules[type].label} when you sell your next card.`,
      })
      onClose()
      void refresh(client, routes.paymentMethods)
    },
    failed: (error) => ({
      title: 'Failed to Add Payment Method',
      description: messageOf(error, 'Failed to add payment method'),
    }),
  })
  const type: PaymentType | undefined = form.watch('type')
  const rule = type && paymentRules[type]

  return (
    <Form onSubmit={submit}>
      <SelectField
        label="Payment method type"
        choices={profileTypes.map((value) => ({ value, label: paymentRules[value].label }))}
        placeholder="Choose a type"
        {...field('type')}
      />
      <TextField
        label="Account name"
        autoComplete="name"
        hint="Exactly as it appears on the account"
        {...field('accountName')}
      />
      {type === 'bank_transfer' ? (
        <BankAccountFields
          routing={{ typed: form.watch('routingNumber') ?? '', field: field('routingNumber') }}
          account={{ typed: form.watch('accountNumber') ?? '', field: field('accountNumber') }}
        />
      ) : (
        <TextField
          label="Account information"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={rule?.account !== 'Account information' && rule?.account}
          placeholder={rule?.example}
          {...field('accountInfo')}
        />
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={sending.isPending}>
          {sending.isPending ? 'Adding...' : 'Add Payment Method'}
        </Button>
      </div>
    </Form>
  )
}

/** In the order of section 2 of the spec. */
const profileTypes = [
  'paypal',
  'venmo',
  'zelle',
  'cash_app',
  'chime',
  'bank_transfer',
  'other',
] as const satisfies readonly PaymentType[]

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
