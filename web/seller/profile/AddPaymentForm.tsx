import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { newPaymentMethod } from '#contract/payment-methods.ts'
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
import { accountHint, routingHint } from '../bank-hints.tsx'
import { type MethodFields, noMethodFields, profileTypes, withoutOtherKind } from './method-fields.ts'

export function AddPaymentForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: newPaymentMethod,
    start: noMethodFields,
    send: (method) => call(routes.addPaymentMethod, { body: withoutOtherKind(method) }),
    onDone: ({ type }) => {
      toast({
        title: 'Payment Method Added',
        description: `${paymentRules[type].label} is offered with the next card you sell.`,
      })
      onClose()
      void refresh(client, routes.paymentMethods)
    },
    failed: (error) => ({
      title: 'Failed to Add Payment Method',
      description: messageOf(error, 'Failed to add payment method'),
    }),
  })
  const type = form.watch('type')

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
        hint="As it stands on the account"
        {...field('accountName')}
      />
      {type === 'bank_transfer' ? (
        <BankAccount
          field={field}
          routingNumber={form.watch('routingNumber') ?? ''}
          accountNumber={form.watch('accountNumber') ?? ''}
        />
      ) : (
        <Account field={field} type={type} />
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

type Field = (name: keyof MethodFields) => Partial<ComponentProps<typeof TextField>>

function Account({ field, type }: { field: Field; type: PaymentType | undefined }) {
  const rule = type ? paymentRules[type] : undefined
  return (
    <TextField
      label="Account information"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      hint={rule?.account !== 'Account information' && rule?.account}
      placeholder={rule?.example}
      {...field('accountInfo')}
    />
  )
}

interface BankAccountProps {
  field: Field
  routingNumber: string
  accountNumber: string
}

function BankAccount({ field, routingNumber, accountNumber }: BankAccountProps) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        label="Routing number"
        inputMode="numeric"
        autoComplete="off"
        placeholder="9 digits"
        hint={routingHint(routingNumber)}
        className="figures"
        {...field('routingNumber')}
      />
      <TextField
        label="Account number"
        inputMode="numeric"
        autoComplete="off"
        placeholder="4 to 17 digits"
        hint={accountHint(accountNumber)}
        className="figures"
        {...field('accountNumber')}
      />
    </div>
  )
}
