import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { type NewPaymentMethod, newPaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import { paymentRules } from '#domain/payment-methods.ts'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/errors.ts'
import { refresh } from '../../api/read.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { schemaResolver } from '../../ui/schema-resolver.ts'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { routingDoubt } from '../routing-doubt.ts'
import { showAtFields } from './field-errors.ts'
import { type MethodFields, noMethodFields, profileTypes, withoutOtherKind } from './method-fields.ts'

type MethodForm = UseFormReturn<MethodFields, unknown, NewPaymentMethod>

export default function AddPaymentForm({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm<MethodFields, unknown, NewPaymentMethod>({
    resolver: schemaResolver(newPaymentMethod),
    defaultValues: noMethodFields,
  })
  const { errors } = form.formState

  const add = useMutation({
    mutationFn: (method: NewPaymentMethod) =>
      call(routes.addPaymentMethod, { body: withoutOtherKind(method) }),
    onSuccess: ({ type }) => {
      toast({
        title: 'Payment Method Added',
        description: `${paymentRules[type].label} is offered with the next card you sell.`,
      })
      onClose()
      void refresh(client, routes.paymentMethods)
    },
    onError: (error) => {
      toast({
        title: 'Failed to Add Payment Method',
        description: messageOf(error, 'Failed to add payment method'),
        variant: 'destructive',
      })
      showAtFields(form, error)
    },
  })

  return (
    <form noValidate onSubmit={form.handleSubmit((method) => add.mutate(method))} className="grid gap-5">
      <SelectField
        label="Payment method type"
        choices={profileTypes.map((value) => ({ value, label: paymentRules[value].label }))}
        placeholder="Choose a type"
        error={errors.type?.message}
        {...form.register('type')}
      />
      <TextField
        label="Account name"
        autoComplete="name"
        hint="As it stands on the account"
        error={errors.accountName?.message}
        {...form.register('accountName')}
      />
      <Account form={form} />
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={add.isPending}>
          {add.isPending ? 'Adding...' : 'Add Payment Method'}
        </Button>
      </div>
    </form>
  )
}

function Account({ form }: { form: MethodForm }) {
  const { errors } = form.formState
  const type = form.watch('type')
  if (type === 'bank_transfer') return <BankAccount form={form} />
  const rule = type ? paymentRules[type] : undefined
  return (
    <TextField
      label="Account information"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      hint={rule?.account !== 'Account information' && rule?.account}
      placeholder={rule?.example}
      error={errors.accountInfo?.message}
      {...form.register('accountInfo')}
    />
  )
}

function BankAccount({ form }: { form: MethodForm }) {
  const { errors } = form.formState
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        label="Routing number"
        inputMode="numeric"
        autoComplete="off"
        placeholder="9 digits"
        hint={routingDoubt(form.watch('routingNumber') ?? '')}
        error={errors.routingNumber?.message}
        className="figures"
        {...form.register('routingNumber')}
      />
      <TextField
        label="Account number"
        inputMode="numeric"
        autoComplete="off"
        error={errors.accountNumber?.message}
        className="figures"
        {...form.register('accountNumber')}
      />
    </div>
  )
}
