import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { because, type WireBatch } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { ReasonField } from '../facts/action-fields.tsx'
import { answered, counted } from '../facts/payout-words.ts'
import { useKeep } from '../shell/payout-queries.ts'

/** An exported batch that nothing was recorded about yet: the bank can reject its file. One person reports it, another confirms. */
export function Rejection({ batch }: { batch: WireBatch }) {
  const keep = useKeep()
  const [isAsking, setAsking] = useState(false)
  if (batch.rejectionReportedBy) return <Reported batch={batch} />
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        className="whitespace-nowrap text-negative"
        onClick={() => setAsking(true)}
      >
        Rejected by the bank…
      </Button>
      <ActionDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Did the bank reject batch ${batch.number}?`}
        description="Only if it refused the whole file and paid nobody. Another person has to confirm it. Sellers are not told."
        schema={because}
        start={{ reason: '' }}
        send={(body) => call(routes.reportRejection, { params: { id: batch.id }, body })}
        failed={notDone}
        done={(changed) => answered('Rejection Reported', changed)}
        onDone={keep.batch}
        submit="Report rejection"
        danger
      >
        {(field) => <ReasonField label="What the bank said" {...field('reason')} />}
      </ActionDialog>
    </>
  )
}

function Reported({ batch }: { batch: WireBatch }) {
  const [isAsking, setAsking] = useState(false)
  const params = { id: batch.id }
  const keep = useKeep()
  const withdraw = useMutation({
    mutationFn: () => call(routes.withdrawRejection, { params }),
    onSuccess: (changed) => {
      keep.batch(changed)
      toast(answered('Report Withdrawn', changed))
    },
    onError: toastFailure('Not Done', notDone),
  })
  return (
    <>
      <Notice
        tone="caution"
        title={`${batch.rejectionReportedBy} reported that the bank rejected this file`}
        action={
          <div className="flex flex-wrap gap-2 max-sm:*:w-full">
            <Button size="sm" variant="danger" onClick={() => setAsking(true)}>
              Confirm rejection
            </Button>
            <Button
              size="sm"
              variant="secondary"
              loading={withdraw.isPending}
              onClick={() => withdraw.mutate()}
            >
              Withdraw report
            </Button>
          </div>
        }
      >
        <p className="break-words">“{batch.rejectionReason}”</p>
        <p>Another person confirms it. Until then, the batch cannot be marked as paid.</p>
      </Notice>
      <ActionDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Confirm that batch ${batch.number} was rejected?`}
        description={`Ends the batch. Its ${counted(batch.count)} will be due again under new numbers. This cannot be undone.`}
        send={() => call(routes.confirmRejection, { params })}
        failed={notDone}
        done={(changed) => answered('Batch Rejected', changed)}
        onDone={keep.batch}
        submit="Confirm rejection"
        danger
      >
        <p>Ask the bank first: if it pays this file after all, the sellers are paid twice.</p>
      </ActionDialog>
    </>
  )
}

const notDone = 'The batch could not be changed.'
