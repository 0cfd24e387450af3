import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useRef } from 'react'
import { type FieldProblem, fieldText } from '#contract/field-errors.ts'
import { routes } from '#contract/routes.ts'
import { move as moveSchema, type StaffSubmission } from '#contract/staff-submissions.ts'
import { inDollars, parseDollars, toDecimal, toDollars } from '#domain/money.ts'
import { paymentTypes } from '#domain/payment-methods.ts'
import { suggestedOffer } from '#domain/quote.ts'
import { isAboutBalance } from '#domain/reasons.ts'
import { may } from '#domain/roles.ts'
import type { Move } from '#domain/submission.ts'
import { useForm } from '#web/forms/use-form.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { Money } from '#web/kit/Money.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { ApiError } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { useWords } from '#web/words/words.ts'
import { ConfirmationField } from '../../facts/action-fields.tsx'
import { LanguageBadge } from '../../facts/badges.tsx'
import { ClaimNotice } from '../../facts/ClaimNotice.tsx'
import { HoldNotice } from '../../facts/HoldNotice.tsx'
import { OtherPayouts } from '../../facts/OtherPayouts.tsx'
import { findReason, SellerReason, textOf } from '../../facts/SellerReason.tsx'
import type { ClaimControl } from '../../facts/use-claim.ts'
import { isReferenceUsed } from '../../facts/use-reference-warning.ts'
import { moveLabel } from '../../shell/keys/move-label.ts'
import { useStaff } from '../../shell/use-staff.ts'
import { CardChecks } from './CardChecks.tsx'
import { isConflict, type MoveMutation } from './use-move.ts'

interface DecisionProps {
  open: boolean
  move: Move
  submission: StaffSubmission
  decision: MoveMutation
  claim: ClaimControl
  onClose: () => void
}

/** Whether the dialog of a move asks for a text. */
export function takesText(move: Move): boolean {
  return textOf(move) !== undefined
}

/** Asks for the text or price that a move needs, or to confirm it. */
export function DecisionDialog(props: DecisionProps) {
  const { open, move, submission, onClose } = props
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      wide={move.needs !== undefined}
      title={moveLabel(move)}
      description={
        <>
          {submission.brandName} {inDollars(submission.denomination)} from {submission.user.username}{' '}
          <LanguageBadge locale={submission.user.locale} />
        </>
      }
    >
      <DecisionForm {...props} />
    </Dialog>
  )
}

const schema = moveSchema.pick({ reason: true, amount: true, reference: true })

function DecisionForm({ open, move, submission, decision, claim, onClose }: DecisionProps) {
  const isOffer = move.needs === 'offer'
  const asked = textOf(move)
  const confirm = useRef<HTMLButtonElement>(null)
  const missingIn = ({ reason, amount }: typeof start): FieldProblem[] => [
    ...(isOffer ? offerProblems(amount, submission.denomination) : []),
    ...(asked?.missing && !reason.trim() ? [{ path: 'reason', code: asked.missing }] : []),
  ]
  const start = { reason: '', reference: '', amount: isOffer ? suggestedAmount(submission) : '' }
  const form = useForm({ schema, start, check: missingIn })
  const { reason, amount } = form.values
  const offered = validOffer(amount, submission.denomination)
  const sendLabel = isOffer && offered !== undefined ? `Offer ${toDollars(offered)}` : moveLabel(move)
  const isUnchecked = !submission.balanceCheck && isAboutBalance(findReason(move.name, reason.trim()))
  const warned = useRef(false)
  const reasonField = form.field('reason')

  const submit = form.handleSubmit(({ reason, reference }) => {
    // While it fades out, a held Enter still presses its button.
    if (!open || decision.isBusy || claim.other) return
    if (isUnchecked && !warned.current) {
      warned.current = true
      const message = `The balance of this card was never checked. Press ${sendLabel} again to send this anyway.`
      return form.showProblems([{ path: 'reason', code: '', message }])
    }
    const decided = { move, reason, reference, ...(isOffer && { amount: form.getValues().amount.trim() }) }
    decision.decide(decided, (error) => {
      // After a conflict the submission has another status, so this decision no longer applies.
      if (!error || isConflict(error) || !(asked || isReferenceUsed(error))) onClose()
      else form.showProblems(problemsOf(error))
    })
  })

  return (
    <Form onSubmit={submit}>
      <ClaimNotice claim={claim} />
      <Consequence move={move} submission={submission} />
      {isOffer && <NewPrice submission={submission} amount={amount} field={form.field('amount')} />}
      <SellerReason
        move={move}
        brand={submission.brand}
        seller={submission.user}
        amount={isOffer ? offered : parseDollars(submission.quote)}
        text={reason}
        field={{ ...reasonField, error: reasonField.error ?? (isUnchecked ? uncheckedWarning : undefined) }}
        onPick={(picked) => {
          form.setValue('reason', picked)
          confirm.current?.focus()
        }}
      >
        {move.name === 'fail' && submission.payout && (
          <StoppedPayouts id={submission.payout.id} text={reason} />
        )}
      </SellerReason>
      {move.to === 'completed' && <ConfirmationField optional {...form.field('reference')} />}
      <FormActions
        ref={confirm}
        autoFocus={!asked}
        variant={move.needs === 'reason' ? 'danger' : 'primary'}
        loading={decision.isPending}
        aria-disabled={missingIn(form.values).length > 0 || claim.other !== undefined || undefined}
        onCancel={onClose}
      >
        {sendLabel}
      </FormActions>
    </Form>
  )
}

const uncheckedWarning =
  'The balance of this card was never checked. Check it, or record what you found, before you send this.'

function offerProblems(amount: string, faceValue: string): FieldProblem[] {
  if (!amount.trim()) return [{ path: 'amount', code: 'offer_amount_required' }]
  const isTooHigh = (parseDollars(amount) ?? 0) > (parseDollars(faceValue) ?? 0)
  const params = { maximum: inDollars(faceValue) }
  return isTooHigh ? [{ path: 'amount', code: 'offer_amount_too_high', params }] : []
}

/** Cents, or undefined if the server would refuse the amount. */
function validOffer(amount: string, faceValue: string): number | undefined {
  const cents = parseDollars(amount) ?? 0
  return cents > 0 && cents <= (parseDollars(faceValue) ?? 0) ? cents : undefined
}

/** Dollars, from the latest balance check. Empty without one. */
function suggestedAmount(submission: StaffSubmission): string {
  const cents = suggestedOffer(submission)
  return cents === undefined ? '' : toDecimal(cents)
}

/** The server's errors at their fields. A refusal without a field goes below the text. */
function problemsOf(error: Error) {
  const errors = error instanceof ApiError ? error.errors : []
  const shown = errors.filter(({ path }) => path in schema.shape)
  return shown.length > 0 ? shown : [{ path: 'reason', code: '', message: error.message }]
}

interface NewPriceProps {
  submission: StaffSubmission
  /** As typed. */
  amount: string
  field: Omit<ComponentProps<typeof TextField>, 'label'>
}

function NewPrice({ submission, amount, field }: NewPriceProps) {
  const t = useWords()
  const { quotedPrice, denomination } = submission
  const cents = validOffer(amount, denomination)
  const [problem] = amount.trim() ? offerProblems(amount, denomination) : []
  const error = field.error ?? (problem && fieldText(t, problem))
  const quoted = parseDollars(quotedPrice) ?? 0
  const difference = cents === undefined ? 0 : cents - quoted
  return (
    <div className="grid items-start gap-5 md:grid-cols-2">
      <TextField
        label="New price"
        prefix="$"
        inputMode="decimal"
        autoComplete="off"
        autoFocus
        hint={error ? undefined : `At most the face value, ${inDollars(denomination)}`}
        {...field}
        error={error}
      />
      <dl className="grid grid-cols-3 gap-3 *:grid *:content-start *:gap-1 md:pt-0.5">
        <div>
          <dt className="text-soft text-sm">Face value</dt>
          <dd>
            <Money amount={denomination} />
          </dd>
        </div>
        <div>
          <dt className="text-soft text-sm">Quoted</dt>
          <dd>
            <Money amount={quotedPrice} />
          </dd>
        </div>
        <div>
          <dt className="text-soft text-sm">Difference</dt>
          <dd className="figures font-semibold">
            {cents === undefined
              ? '–'
              : difference === 0
                ? 'None'
                : `${toDollars(Math.abs(difference))} ${difference < 0 ? 'less' : 'more'}`}
          </dd>
        </div>
      </dl>
    </div>
  )
}

function StoppedPayouts({ id, text }: { id: string; text: string }) {
  const { admin } = useStaff()
  const enabled = may(admin.role, 'see_payouts')
  const { data: payout } = useQuery({ ...read(routes.payout, { params: { id } }), enabled })
  return payout && <OtherPayouts {...{ payout, text }} />
}

/** Says what the move does to the money. Empty if no payout follows or ends. */
function Consequence({ move, submission }: { move: Move; submission: StaffSubmission }) {
  const t = useWords()
  const { offer, paymentType, payout, quote, user } = submission
  const price = <Money amount={quote} className="font-semibold" />
  switch (move.name) {
    case 'approve':
    case 'complete': {
      const type = paymentTypes.find((known) => known === paymentType)
      return (
        <>
          <p>
            Records that {user.username} was paid {price} by {type ? t(`payments.type.${type}`) : paymentType}
            , by hand.
            {move.name === 'approve' && ' To pay it in a batch instead, choose Start Processing.'}
          </p>
          {payout?.waitsUntil && <HoldNotice until={payout.waitsUntil} />}
          <div className="grid gap-1 text-sm empty:hidden">
            <CardChecks card={submission} />
          </div>
        </>
      )
    }
    case 'rescind':
      return (
        <p>
          The seller can no longer accept {offer && <Money amount={offer.amount} className="font-semibold" />}
          . The card goes back into review.
        </p>
      )
    case 'revert':
      return move.from === 'completed' ? (
        <>
          <p>
            Was the money really sent?
            {payout?.sentAt && (
              <>
                {' '}
                It was recorded as paid <Time at={payout.sentAt} as="dateTime" />
                {payout.reference && `, confirmation number ${payout.reference}`}.
              </>
            )}{' '}
            Then do not revert: if it comes back, record its return in Payouts.
          </p>
          <p>
            We owe the seller {price} again. It is not paid in a batch until a payer has recorded that the
            money was not sent.
          </p>
        </>
      ) : (
        <p>This approves the card: we will owe the seller {price}.</p>
      )
    case 'fail':
      return (
        <p>
          The payout of {price} is canceled. With a reason about the account from the list, the seller reads
          that the money is safe and is asked for another account. With any other reason, or one that you
          edit, the seller is asked to contact support.
        </p>
      )
    default:
      return null
  }
}
