import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { WireBatch } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { useToday } from '../use-today.ts'
import { useKeep } from './payout-queries.ts'

/** What the statement of the bank or service says about a batch. */
export function SettleForm({ batch, onDone }: { batch: WireBatch; onDone: () => void }) {
  const keep = useKeep()
  const today = useToday()
  const [reference, setReference] = useState('')
  const [on, setOn] = useState(today)
  const [fee, setFee] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(routes.settleBatch, {
        params: { id: batch.id },
        body: { reference: reference.trim(), on, ...(fee.trim() && { fee: fee.trim() }) },
      }),
    onSuccess: (settled) => {
      keep.batch(settled)
      toast({ title: 'Batch Settled', description: `Batch ${batch.number} is on the statement.` })
      onDone()
    },
  })
  const errorOf = (path: string) =>
    error instanceof ApiError ? error.errors.find((field) => field.path === path)?.message : undefined
  const general = error && !['reference', 'on', 'fee'].some(errorOf) ? messageOf(error, notDone) : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isPending) mutate()
  }

  return (
    <Form onSubmit={submit}>
      <TextField
        label="Reference"
        autoFocus
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={reference}
        hint="From the statement. Sellers see it, unless their payouts were confirmed before"
        error={errorOf('reference') ?? general}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Day of the statement"
          type="date"
          max={today}
          value={on}
          error={errorOf('on')}
          onChange={({ currentTarget }) => setOn(currentTarget.value)}
        />
        <TextField
          label="Fee in dollars"
          optional
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          value={fee}
          hint="What the bank or service took for this batch"
          error={errorOf('fee')}
          onChange={({ currentTarget }) => setFee(currentTarget.value)}
        />
      </div>
      <FormActions loading={isPending} onCancel={onDone}>
        Mark as settled
      </FormActions>
    </Form>
  )
}

const notDone = 'The batch could not be changed.'
