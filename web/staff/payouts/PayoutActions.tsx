import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import type { WirePayout } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { mayMovePayout } from '#domain/payout.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { TextArea, TextField } from '#web/kit/TextField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { useWords } from '#web/words/words.ts'
import { KeyButton } from '../keys/KeyHint.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { useStaff } from '../use-staff.ts'
import { useKeep } from './payout-queries.ts'
import { payoutWords } from './payout-words.ts'

type Asked = 'paid' | 'return' | 'takeOut' | 'notSent' | 'lift' | 'void'

/** What can be recorded about one payout, each with a dialog that asks first. */
export function PayoutActions({ payout }: { payout: WirePayout }) {
  const { admin } = useStaff()
  const [asked, setAsked] = useState<Asked>('paid')
  const [isOpen, setOpen] = useState(false)
  const { state } = payout
  const byHand = mayMovePayout(state, 'payByHand') && admin.manualPayouts
  const mayConfirm = mayMovePayout(state, 'confirm') || byHand
  const ask = (what: Asked) => {
    setAsked(what)
    setOpen(true)
  }
  const mayReturn = mayMovePayout(state, 'return')
  useKeys({
    ...(mayConfirm && { markPaid: () => ask('paid') }),
    ...(mayReturn && { recordReturn: () => ask('return') }),
  })
  const close = () => setOpen(false)
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {mayConfirm && (
        <KeyButton action="markPaid" variant="secondary" size="sm" onClick={() => ask('paid')}>
          {byHand ? 'Paid by hand' : 'Mark as paid'}
        </KeyButton>
      )}
      {mayReturn && (
        <KeyButton action="recordReturn" variant="secondary" size="sm" onClick={() => ask('return')}>
          Record return
        </KeyButton>
      )}
      {payout.paidBefore?.notSentAt === null && (state === 'due' || state === 'returned') && (
        <Button variant="secondary" size="sm" onClick={() => ask('notSent')}>
          Not sent
        </Button>
      )}
      {payout.deadAccount && (
        <Button variant="secondary" size="sm" onClick={() => ask('lift')}>
          Allow account
        </Button>
      )}
      {state === 'batched' && (
        <Button variant="secondary" size="sm" onClick={() => ask('takeOut')}>
          Take out
        </Button>
      )}
      {mayMovePayout(state, 'void') && (
        <Button variant="secondary" size="sm" className="text-negative" onClick={() => ask('void')}>
          Void
        </Button>
      )}
      <Dialog open={isOpen} onOpenChange={setOpen} {...titles[asked]}>
        {payout.entry && (asked === 'return' || asked === 'paid') && (
          <Notice
            tone="caution"
            title={`Holds for all ${payout.entry.count} cards of payment ${payout.entry.number}`}
          >
            They left as one payment of <Money amount={payout.entry.total} />.
          </Notice>
        )}
        {asked === 'paid' ? (
          <PaidForm payout={payout} onDone={close} />
        ) : asked === 'takeOut' ? (
          <TakeOutForm payout={payout} onDone={close} />
        ) : asked === 'notSent' ? (
          <NotSentForm payout={payout} onDone={close} />
        ) : (
          <ReasonForm payout={payout} what={asked} onDone={close} />
        )}
      </Dialog>
    </div>
  )
}

const titles = {
  paid: { title: 'Mark as paid', description: 'Completes the submission and tells the seller.' },
  return: {
    title: 'Record return',
    description: 'The money came back. The seller reads the reason and is asked for another account.',
  },
  takeOut: {
    title: 'Take out of the batch',
    description: 'The payout is due again. A frozen batch is open again until somebody freezes it.',
  },
  notSent: {
    title: 'Record as not sent',
    description: 'The payout can be in a batch again. Check with the bank or service first.',
  },
  lift: {
    title: 'Allow the account again',
    description: 'A bank or service refused it. All payouts to it can be in a batch again.',
  },
  void: {
    title: 'Void payout',
    description: 'Cancels the payout. Its submission fails, and the seller reads the reason.',
  },
} as const

function PaidForm({ payout, onDone }: { payout: WirePayout; onDone: () => void }) {
  const t = useWords()
  const [reference, setReference] = useState('')
  const { record, isPending, error } = useRecord(payout, onDone)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        record(() =>
          call(routes.markPayoutPaid, { params: { id: payout.id }, body: { reference: reference.trim() } }),
        )
      }}
    >
      <p>
        Payout {payout.number}: <Money amount={payout.amount} className="font-semibold" /> was sent to{' '}
        {payout.accountName} by {t(`payments.type.${payout.paymentType}`)}.
      </p>
      <TextField
        label="Reference"
        optional
        autoFocus
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={reference}
        hint="The confirmation number of the bank or service. The seller sees it"
        error={error}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
      />
      <FormActions loading={isPending} onCancel={onDone}>
        <span>
          Mark <Money amount={payout.amount} /> as paid
        </span>
      </FormActions>
    </Form>
  )
}

function TakeOutForm({ payout, onDone }: { payout: WirePayout; onDone: () => void }) {
  const { record, isPending, error } = useRecord(payout, onDone)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        record(() => call(routes.takeOutPayout, { params: { id: payout.id } }))
      }}
    >
      <p>
        Payout {payout.number}: <Money amount={payout.amount} className="font-semibold" /> to{' '}
        {payout.accountName}, in batch {payout.batchNumber}
      </p>
      {error && <Notice tone="negative" title={error} urgent />}
      <FormActions autoFocus loading={isPending} onCancel={onDone}>
        Take out
      </FormActions>
    </Form>
  )
}

function NotSentForm({ payout, onDone }: { payout: WirePayout; onDone: () => void }) {
  const { record, isPending, error } = useRecord(payout, onDone)
  const { reference, sentAt } = payout.paidBefore ?? {}
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        record(() => call(routes.recordNotSent, { params: { id: payout.id } }))
      }}
    >
      <p>
        <Money amount={payout.amount} className="font-semibold" /> to {payout.accountName}, recorded as paid
        by hand {sentAt && <Time at={sentAt} as="dateTime" />}
        {reference && ` with reference ${reference}`}, never left.
      </p>
      {error && <Notice tone="negative" title={error} urgent />}
      <FormActions autoFocus loading={isPending} onCancel={onDone}>
        It was not sent
      </FormActions>
    </Form>
  )
}

interface ReasonFormProps {
  payout: WirePayout
  what: 'return' | 'lift' | 'void'
  onDone: () => void
}

function ReasonForm({ payout, what, onDone }: ReasonFormProps) {
  const t = useWords()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const { record, isPending, error } = useRecord(payout, onDone)
  const [accountDead, setAccountDead] = useState(false)
  const params = { id: payout.id }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    if (!reason.trim()) return setMissing(true)
    const body = { reason: reason.trim() }
    record(() => {
      if (what === 'return') return call(routes.returnPayout, { params, body: { ...body, accountDead } })
      return call(what === 'lift' ? routes.liftDeadAccount : routes.voidPayout, { params, body })
    })
  }
  const isInBatch = what === 'void' && payout.state === 'released'
  return (
    <Form onSubmit={submit}>
      <p>
        Payout {payout.number}: <Money amount={payout.amount} className="font-semibold" /> to{' '}
        {payout.accountName} by {t(`payments.type.${payout.paymentType}`)}
      </p>
      {isInBatch && (
        <p>
          Batch {payout.batchNumber} was released and cannot change, so it is dissolved: its other payouts are
          due again.
        </p>
      )}
      <TextArea
        label="Reason"
        rows={3}
        autoFocus
        maxLength={500}
        value={reason}
        error={missing ? 'A reason is required' : error}
        hint={<span className="pointer-coarse:hidden">Press Ctrl + Enter to record it</span>}
        onChange={({ currentTarget }) => {
          setReason(currentTarget.value)
          setMissing(false)
        }}
        onKeyDown={(event) => isSend(event) && submit(event)}
      />
      {what === 'return' && (
        <label className="flex min-h-11 items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={accountDead}
            onChange={({ currentTarget }) => setAccountDead(currentTarget.checked)}
            className="size-5 shrink-0 accent-accent"
          />
          The account takes no money: do not pay this seller to it again
        </label>
      )}
      <FormActions variant={what === 'void' ? 'danger' : 'primary'} loading={isPending} onCancel={onDone}>
        {titles[what].title}
      </FormActions>
    </Form>
  )
}

function isSend({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey)
}

/** Records something about a payout. A refusal is shown in the form. */
function useRecord({ number }: WirePayout, onDone: () => void) {
  const keep = useKeep()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (send: () => Promise<WirePayout>) => send(),
    onSuccess: (payout) => {
      toast({ title: 'Payout Updated', description: `Payout ${number}: ${payoutWords[payout.state].name}` })
      keep.payout(payout)
      onDone()
    },
  })
  return {
    record: mutate,
    isPending,
    error: error ? messageOf(error, 'It could not be recorded.') : undefined,
  }
}
