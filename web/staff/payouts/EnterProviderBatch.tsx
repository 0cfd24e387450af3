import { useState } from 'react'
import { providerBatch, type WireBatch } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { answered } from '../facts/payout-words.ts'
import { useKeep } from '../shell/payout-queries.ts'

/** Staff have found the batch at PayPal, which never answered: its id there lets the server follow it. */
export function EnterProviderBatch({ batch }: { batch: WireBatch }) {
  const keep = useKeep()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
        Found at PayPal…
      </Button>
      <ActionDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Found batch ${batch.number} at PayPal?`}
        description={
          batch.state === 'rejected'
            ? 'If PayPal has it, the new payouts are held.'
            : 'If PayPal has it, its payouts become paid or returned by PayPal’s word.'
        }
        schema={providerBatch}
        start={{ providerBatchId: '' }}
        send={(body) => call(routes.enterProviderBatch, { params: { id: batch.id }, body })}
        failed="The batch could not be changed."
        done={(changed) => answered('Batch Found', changed)}
        onDone={keep.batch}
        submit="Check with PayPal"
      >
        {(field) => (
          <TextField
            label="PayPal’s batch ID"
            hint="In the details of the batch in PayPal’s activity, such as 5UXD2E8A7EBQJ"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            {...field('providerBatchId')}
          />
        )}
      </ActionDialog>
    </>
  )
}
