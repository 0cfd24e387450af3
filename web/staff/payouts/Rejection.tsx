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
import { useStaff } from '../shell/use-staff.ts'

/**
 * An exported batch that nothing was recorded about yet: the bank can reject its file. Or a batch whose answer never came: PayPal may
 * not have it. One person reports it, another confirms.
 */
export function Rejection({ batch }: { batch: WireBatch }) {
  const keep = useKeep()
  const [isAsking, setAsking] = useState(false)
  if (batch.rejectionReportedBy) return <Reported batch={batch} />
  const { button, ask, onlyIf, reason, report, reported } = wordsOf(batch)
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        className="whitespace-nowrap text-negative"
        onClick={() => setAsking(true)}
      >
        {button}
      </Button>
      <ActionDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={ask(batch.number)}
        description={`${onlyIf} Another person has to confirm it. Sellers are not told.`}
        schema={because}
        start={{ reason: '' }}
        send={(body) => call(routes.reportRejection, { params: { id: batch.id }, body })}
        failed={notDone}
        done={(changed) => answered(reported, changed)}
        onDone={keep.batch}
        submit={report}
        danger
      >
        {(field) => <ReasonField label={reason} {...field('reason')} />}
      </ActionDialog>
    </>
  )
}

function Reported({ batch }: { batch: WireBatch }) {
  const [isAsking, setAsking] = useState(false)
  const params = { id: batch.id }
  const keep = useKeep()
  const words = wordsOf(batch)
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
        title={`${batch.rejectionReportedBy} reported that ${words.what}`}
        action={
          <div className="flex flex-wrap gap-2 max-sm:*:w-full">
            <Button size="sm" variant="danger" onClick={() => setAsking(true)}>
              {words.confirm}
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
        <Confirmers batch={batch} />
      </Notice>
      <ActionDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={words.askAgain(batch.number)}
        description={`Ends the batch. Its ${counted(batch.count)} will be due again under new numbers. This cannot be undone.`}
        send={() => call(routes.confirmRejection, { params })}
        failed={notDone}
        done={(changed) => answered(words.done, changed)}
        onDone={keep.batch}
        submit={words.confirm}
        danger
      >
        <p>{words.warning}</p>
      </ActionDialog>
    </>
  )
}

/** Who has to make the second step. */
function Confirmers({ batch }: { batch: WireBatch }) {
  const { admin } = useStaff()
  const { payers, rejectionReportedBy, needsOtherToFreeze } = batch
  const others = payers.filter((name) => name !== rejectionReportedBy)
  const names = others.length > 0 || needsOtherToFreeze ? others : payers
  if (names.length === 0)
    return <p>Nobody else may confirm it. Ask an owner for another person who may pay.</p>
  return (
    <p>
      {wordsOf(batch).until} May confirm it:{' '}
      {names.map((name) => (name === admin.username ? 'you' : name)).join(', ')}.
    </p>
  )
}

const wordsOf = ({ sentBy }: WireBatch) => words[sentBy ? 'provider' : 'bank']

const words = {
  bank: {
    button: 'Rejected by the bank…',
    ask: (number: number) => `Did the bank reject batch ${number}?`,
    onlyIf: 'Only if it refused the whole file and paid nobody.',
    reason: 'What the bank said',
    report: 'Report rejection',
    reported: 'Rejection Reported',
    what: 'the bank rejected this file',
    until: 'Until somebody confirms it, the batch cannot be marked as paid.',
    confirm: 'Confirm rejection',
    askAgain: (number: number) => `Confirm that batch ${number} was rejected?`,
    warning: 'Ask the bank first: if it pays this file after all, the sellers are paid twice.',
    done: 'Batch Rejected',
  },
  provider: {
    button: 'Not at PayPal…',
    ask: (number: number) => `Is batch ${number} not at PayPal?`,
    onlyIf: 'Only if PayPal’s activity shows neither the batch nor any of its payments.',
    reason: 'Where you looked',
    report: 'Report as missing',
    reported: 'Batch Reported',
    what: 'PayPal does not have this batch',
    until: 'Its payouts stay in it until another person has looked too.',
    confirm: 'Confirm that it is missing',
    askAgain: (number: number) => `Abandon batch ${number}?`,
    warning:
      'Look at PayPal’s activity yourself first: if PayPal has paid this batch after all, the sellers are paid twice.',
    done: 'Batch Abandoned',
  },
} as const

const notDone = 'The batch could not be changed.'
