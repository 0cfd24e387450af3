import { settlement, type WireBatch } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { ActionForm } from '#web/forms/ActionForm.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { ConfirmationField } from '../facts/action-fields.tsx'
import { useKeep } from '../shell/payout-queries.ts'
import { useToday } from '../shell/use-today.ts'

/** What the statement of the bank or service says about a batch. */
export function SettleForm({ batch: { id, number }, onDone }: { batch: WireBatch; onDone: () => void }) {
  const keep = useKeep()
  const today = useToday()
  return (
    <ActionForm
      schema={settlement}
      start={{ reference: '', on: today, fee: '' }}
      send={(_, typed) => call(routes.settleBatch, { params: { id }, body: typed })}
      failed="The batch could not be changed."
      done={() => ({ title: 'Batch Settled', description: `Batch ${number} is on the statement.` })}
      onDone={(settled) => {
        keep.batch(settled)
        onDone()
      }}
      onCancel={onDone}
      submit="Mark as settled"
    >
      {(field) => (
        <>
          <ConfirmationField
            autoFocus
            hint="From the statement. Sellers see it, unless their payouts were confirmed before"
            {...field('reference')}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label="Day of the statement" type="date" max={today} {...field('on')} />
            <TextField
              label="Fee in dollars"
              optional
              inputMode="decimal"
              autoComplete="off"
              hint="What the bank or service charged for this batch"
              {...field('fee')}
            />
          </div>
        </>
      )}
    </ActionForm>
  )
}
