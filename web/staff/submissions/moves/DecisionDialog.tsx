import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { paymentTypes } from '#domain/payment-methods.ts'
import { type Move, type Need, type Status, statusRules } from '#domain/submission.ts'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { Money } from '#web/kit/Money.tsx'
import { TextArea } from '#web/kit/TextField.tsx'
import { useWords } from '#web/words/words.ts'
import { ClaimNotice } from '../claims/ClaimNotice.tsx'
import type { ClaimControl } from '../claims/use-claim.ts'
import { moveLabel } from './move-label.ts'
import { ReasonPicker } from './ReasonPicker.tsx'
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
      wide={move.needs !== undefined}
      title={moveLabel(move)}
      description={`${submission.brandName} card from ${submission.user.username}`}
    >
      <DecisionForm {...props} />
    </Dialog>
  )
}

const words = {
  reason: {
    label: 'Reason',
    missing: 'A reason is required',
    rows: 4,
    hint: 'Choose a reason, edit it, or write your own. Edited texts are not translated',
  },
  offer: {
    label: 'Reason',
    missing: 'A reason is required',
    rows: 4,
    hint: 'The seller reads it beside the new price',
  },
  question: {
    label: 'Question to the seller',
    missing: 'Please write the question to the seller',
    rows: 4,
    hint: 'Choose a question, edit it, or write your own. Edited texts are not translated. Press Ctrl + Enter to send',
  },
} as const

function wordsFor(needs: Need | undefined) {
  return needs === 'reason' || needs === 'offer' || needs === 'question' ? words[needs] : undefined
}

/** Maximum length the server accepts. */
const MAX_REASON_LENGTH = 2000

function DecisionForm({ move, submission, decision, claim, onClose }: DecisionProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const confirm = useRef<HTMLButtonElement>(null)
  const asked = wordsFor(move.needs)
  const reason = text.trim()

  function submit(event?: FormEvent) {
    event?.preventDefault()
    if (decision.isPending || claim.other) return
    if (asked && !reason) return setProblem(asked.missing)
    decision.decide({ move, reason }, (error) => {
      // After a conflict the submission has another status, so this decision no longer applies.
      if (!asked || !error || isConflict(error)) onClose()
      else setProblem(error.message)
    })
  }

  function change(next: string) {
    setText(next)
    setProblem(undefined)
  }

  function pick(next: string) {
    change(next)
    confirm.current?.focus()
  }

  return (
    <Form onSubmit={submit}>
      <ClaimNotice claim={claim} />
      {asked ? (
        <div className="grid gap-5 md:grid-cols-2">
          <ReasonPicker
            move={move.name}
            noun={move.needs === 'question' ? 'question' : 'reason'}
            autoFocus={move.needs !== 'question'}
            onPick={pick}
          />
          <div className="grid content-start gap-5">
            <TextArea
              label={asked.label}
              rows={asked.rows}
              maxLength={MAX_REASON_LENGTH}
              value={text}
              error={problem}
              hint={asked.hint}
              autoFocus={move.needs === 'question'}
              onChange={(event) => change(event.currentTarget.value)}
              onKeyDown={(event) => isSend(event) && submit()}
            />
            <SellerSees status={move.to} text={reason} />
          </div>
        </div>
      ) : (
        <Payout submission={submission} />
      )}
      <FormActions
        ref={confirm}
        autoFocus={!asked}
        variant={move.needs === 'reason' ? 'danger' : 'primary'}
        loading={decision.isPending}
        aria-disabled={(asked && !reason) || claim.other !== undefined || undefined}
        onCancel={onClose}
      >
        {moveLabel(move)}
      </FormActions>
    </Form>
  )
}

function Payout({ submission: { quote, paymentType } }: { submission: StaffSubmission }) {
  const t = useWords()
  const type = paymentTypes.find((known) => known === paymentType)
  return (
    <p>
      The seller gets <Money amount={quote} className="font-semibold" /> by{' '}
      {type ? t(`payments.type.${type}`) : paymentType}.
    </p>
  )
}

function isSend({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey)
}

function SellerSees({ status, text }: { status: Status; text: string }) {
  const t = useWords()
  const { sellerStatus } = statusRules[status]
  return (
    <section aria-label="What the seller will see" className="grid gap-2">
      <p className="font-medium text-sm">What the seller will see</p>
      <div className="grid justify-items-start gap-2 rounded-md bg-sunken p-4">
        <StatusBadge status={sellerStatus} />
        <p className="font-medium">{t(`statuses.text.${sellerStatus}`)}</p>
        {text ? (
          <p className="max-w-full whitespace-pre-line text-sm wrap-anywhere">{text}</p>
        ) : (
          <p className="text-soft text-sm italic">Nothing written yet</p>
        )}
      </div>
    </section>
  )
}
