import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { paymentRules, paymentTypes } from '#domain/payment-methods.ts'
import { type Move, type Status, statusRules } from '#domain/submission.ts'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Money } from '#web/kit/Money.tsx'
import { TextArea } from '#web/kit/TextField.tsx'
import { ClaimNotice } from '../claims/ClaimNotice.tsx'
import type { ClaimControl } from '../claims/use-claim.ts'
import { moveLabel } from './move-label.ts'
import { ReasonPicker } from './ReasonPicker.tsx'
import { useFocus } from './use-focus.ts'
import { isConflict, type MoveMutation } from './use-move.ts'

interface DecisionProps {
  move: Move
  submission: StaffSubmission
  decision: MoveMutation
  claim: ClaimControl
  onClose: () => void
}

/** Asks for the reason or question that a move needs, or to confirm an approval by key. */
export function DecisionDialog({ open, ...props }: DecisionProps & { open: boolean }) {
  const { move, submission, onClose } = props
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      wide={move.needs === 'reason'}
      title={moveLabel(move)}
      description={`${submission.brandName} card from ${submission.user.username}`}
    >
      {move.needs ? <DecisionForm {...props} /> : <ConfirmForm {...props} />}
    </Dialog>
  )
}

const words = {
  reason: { label: 'Reason', missing: 'A reason is required', rows: 4 },
  question: {
    label: 'Question to the seller',
    missing: 'Please write the question to the seller',
    rows: 5,
  },
} as const

/** Maximum length the server accepts. */
const MAX_REASON_LENGTH = 2000

function DecisionForm({ move, decision, claim, onClose }: DecisionProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const question = useFocus<HTMLTextAreaElement>()
  const confirm = useRef<HTMLButtonElement>(null)
  const { label, missing, rows } = words[move.needs ?? 'reason']

  function submit(event?: FormEvent) {
    event?.preventDefault()
    if (decision.isPending || claim.other) return
    if (text.trim() === '') return setProblem(missing)
    decision.decide({ move, reason: text.trim() }, (error) => {
      // After a conflict the submission has another status, so this decision no longer applies.
      if (!error || isConflict(error)) onClose()
      else setProblem(error.message)
    })
  }

  function change(next: string) {
    setText(next)
    setProblem(undefined)
  }

  const area = (
    <TextArea
      label={label}
      rows={rows}
      maxLength={MAX_REASON_LENGTH}
      value={text}
      error={problem}
      hint={
        move.needs === 'reason' ? 'Choose a reason, edit it, or write your own' : 'Press Ctrl + Enter to send'
      }
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => isSend(event) && submit()}
      {...(move.needs === 'question' && { ref: question })}
    />
  )
  return (
    <Form onSubmit={submit}>
      <ClaimNotice claim={claim} />
      {move.needs === 'reason' ? (
        <div className="grid gap-5 md:grid-cols-2">
          <ReasonPicker
            onPick={(reason) => {
              change(reason)
              confirm.current?.focus()
            }}
          />
          <div className="grid content-start gap-5">
            {area}
            <SellerSees status={move.to} text={text} />
          </div>
        </div>
      ) : (
        <>
          {area}
          <SellerSees status={move.to} text={text} />
        </>
      )}
      <footer className="flex flex-col-reverse gap-2 md:flex-row md:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button
          ref={confirm}
          type="submit"
          variant={move.needs === 'reason' ? 'danger' : 'primary'}
          loading={decision.isPending}
          aria-disabled={text.trim() === '' || claim.other !== undefined || undefined}
        >
          {moveLabel(move)}
        </Button>
      </footer>
    </Form>
  )
}

function isSend({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey)
}

function SellerSees({ status, text }: { status: Status; text: string }) {
  const { sellerLabel, sellerStatus, sellerText } = statusRules[status]
  return (
    <section aria-label="What the seller will see" className="grid gap-2">
      <p className="font-medium text-sm">What the seller will see</p>
      <div className="grid justify-items-start gap-2 rounded-md bg-sunken p-4">
        <StatusBadge status={sellerStatus}>{sellerLabel}</StatusBadge>
        <p className="font-medium">{sellerText}</p>
        {text.trim() ? (
          <p className="max-w-full whitespace-pre-line text-sm wrap-anywhere">{text.trim()}</p>
        ) : (
          <p className="text-soft text-sm italic">Nothing written yet</p>
        )}
      </div>
    </section>
  )
}

function ConfirmForm({ move, submission, decision, claim, onClose }: DecisionProps) {
  const confirm = useFocus<HTMLButtonElement>()
  const type = paymentTypes.find((known) => known === submission.paymentType)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (decision.isPending || claim.other) return
    decision.decide({ move }, onClose)
  }

  return (
    <Form onSubmit={submit}>
      <ClaimNotice claim={claim} />
      <p>
        The seller gets <Money amount={submission.quote} className="font-semibold" /> by{' '}
        {type ? paymentRules[type].label : submission.paymentType}.
      </p>
      <footer className="flex flex-col-reverse gap-2 md:flex-row md:justify-end">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button
          ref={confirm}
          type="submit"
          loading={decision.isPending}
          aria-disabled={claim.other !== undefined || undefined}
        >
          {moveLabel(move)}
        </Button>
      </footer>
    </Form>
  )
}
