import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { WireBatch } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { TextArea } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf, toastFailure } from '#web/wire/errors.ts'
import { useKeep } from './payout-queries.ts'
import { counted } from './payout-words.ts'

/** An exported batch that nothing was recorded about yet: the bank can reject its file. One person reports it, another confirms. */
export function Rejection({ batch }: { batch: WireBatch }) {
  const [isAsking, setAsking] = useState(false)
  if (batch.rejectionReportedBy) return <Reported batch={batch} />
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        className="justify-self-start text-negative max-sm:w-full"
        onClick={() => setAsking(true)}
      >
        Rejected by the bank…
      </Button>
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Did the bank reject batch ${batch.number}?`}
        description="Only if it refused the whole file and paid nobody. Another person has to confirm it. Sellers are not told."
      >
        <ReportForm batch={batch} onDone={() => setAsking(false)} />
      </Dialog>
    </>
  )
}

function ReportForm({ batch, onDone }: { batch: WireBatch; onDone: () => void }) {
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const report = useAnswer(
    () => call(routes.reportRejection, { params: { id: batch.id }, body: { reason: reason.trim() } }),
    'Rejection Reported',
  )
  function submit(event: FormEvent) {
    event.preventDefault()
    if (report.isPending) return
    if (!reason.trim()) return setMissing(true)
    report.mutate(undefined, { onSuccess: onDone })
  }
  return (
    <Form onSubmit={submit}>
      <TextArea
        label="What the bank said"
        rows={3}
        autoFocus
        maxLength={500}
        value={reason}
        error={missing ? 'A reason is required' : report.error ? messageOf(report.error, notDone) : undefined}
        onChange={({ currentTarget }) => {
          setReason(currentTarget.value)
          setMissing(false)
        }}
      />
      <FormActions variant="danger" loading={report.isPending} onCancel={onDone}>
        Report rejection
      </FormActions>
    </Form>
  )
}

function Reported({ batch }: { batch: WireBatch }) {
  const [isAsking, setAsking] = useState(false)
  const params = { id: batch.id }
  const confirm = useAnswer(() => call(routes.confirmRejection, { params }), 'Batch Rejected')
  const withdraw = useAnswer(() => call(routes.withdrawRejection, { params }), 'Report Withdrawn')
  const close = () => setAsking(false)
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
              onClick={() => withdraw.mutate(undefined, { onError: toastFailure('Not Done', notDone) })}
            >
              Withdraw report
            </Button>
          </div>
        }
      >
        <p className="break-words">“{batch.rejectionReason}”</p>
        <p>Another person confirms it. Until then, the batch cannot be marked as paid.</p>
      </Notice>
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Confirm that batch ${batch.number} was rejected?`}
        description={`Ends the batch. Its ${counted(batch.count)} will be due again under new numbers. This cannot be undone.`}
      >
        <p>Ask the bank first: if it pays this file after all, the sellers are paid twice.</p>
        {confirm.error && <Notice tone="negative" title={messageOf(confirm.error, notDone)} urgent />}
        <FormActions
          type="button"
          variant="danger"
          loading={confirm.isPending}
          onClick={() => confirm.mutate(undefined, { onSuccess: close })}
          onCancel={close}
        >
          Confirm rejection
        </FormActions>
      </Dialog>
    </>
  )
}

const notDone = 'The batch could not be changed.'

function useAnswer(send: () => Promise<WireBatch>, title: string) {
  const keep = useKeep()
  return useMutation({
    mutationFn: send,
    onSuccess: (batch) => {
      keep.batch(batch)
      toast({ title, description: `Batch ${batch.number}: ${counted(batch.count)}` })
    },
  })
}
