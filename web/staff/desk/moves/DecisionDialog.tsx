import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useRef } from 'react'
import type { FieldProblem } from '#contract/field-errors.ts'
import { move as moveSchema, type StaffSubmission } from '#contract/staff-submissions.ts'
import { inDollars, parseDollars, toDecimal, toDollars } from '#domain/money.ts'
import { paymentTypes } from '#domain/payment-methods.ts'
import { suggestedOffer } from '#domain/quote.ts'
import { type ReasonCode, reasonCategoriesFor } from '#domain/reasons.ts'
import { type Move, type Status, statusRules } from '#domain/submission.ts'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { cx } from '#web/kit/cx.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { Money } from '#web/kit/Money.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { ApiError } from '#web/wire/errors.ts'
import { loadTranslate, translate, useWords } from '#web/words/words.ts'
import type { Locale } from '#words/locales.ts'
import { ConfirmationField, ReasonField } from '../../facts/action-fields.tsx'
import { LanguageBadge, languages } from '../../facts/badges.tsx'
import { ClaimNotice } from '../../facts/ClaimNotice.tsx'
import type { ClaimControl } from '../../facts/use-claim.ts'
import { moveLabel } from '../../shell/keys/move-label.ts'
import { ReasonPicker } from './ReasonPicker.tsx'
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

const texts = {
  reason: {
    label: 'Reason',
    missing: 'reason_required',
    hint: 'Choose a reason, edit it, or write your own. Edited texts are not translated',
  },
  offer: {
    label: 'Reason',
    missing: 'reason_required',
    hint: 'The seller reads it beside the new price',
  },
  question: {
    label: 'Question to the seller',
    missing: 'question_required',
    hint: 'Choose a question, edit it, or write your own. Edited texts are not translated',
  },
  /** The only optional text. */
  revert: {
    label: 'Reason',
    missing: undefined,
    hint: 'The seller sees it too, in the history',
  },
} as const

function textOf({ needs, name }: Move) {
  if (needs === 'reason' || needs === 'offer' || needs === 'question') return texts[needs]
  return name === 'revert' ? texts.revert : undefined
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
  const code = move.needs && findReason(move, reason.trim())
  const { locale, username } = submission.user

  const submit = form.handleSubmit(({ reason, reference }) => {
    // While it fades out, a held Enter still presses its button.
    if (!open || decision.isBusy || claim.other) return
    const decided = { move, reason, reference, ...(isOffer && { amount: form.getValues().amount.trim() }) }
    decision.decide(decided, (error) => {
      // After a conflict the submission has another status, so this decision no longer applies.
      if (!asked || !error || isConflict(error)) onClose()
      else form.showProblems(problemsOf(error))
    })
  })

  return (
    <Form onSubmit={submit}>
      <ClaimNotice claim={claim} />
      <Consequence move={move} submission={submission} />
      {isOffer && <NewPrice submission={submission} amount={amount} field={form.field('amount')} />}
      {asked && (
        <div className={cx('grid gap-5', move.needs && 'md:grid-cols-2')}>
          {move.needs && (
            <ReasonPicker
              move={move.name}
              noun={move.needs === 'question' ? 'question' : 'reason'}
              autoFocus={!isOffer}
              onPick={(picked) => {
                form.setValue('reason', picked)
                confirm.current?.focus()
              }}
            />
          )}
          <div className="grid content-start gap-5">
            <ReasonField
              label={asked.label}
              optional={asked.missing === undefined}
              rows={4}
              hint={asked.hint}
              autoFocus={!move.needs}
              {...form.field('reason')}
            />
            {locale !== 'en' && !code && (
              <p className="text-sm">
                {username} reads {languages[locale]}. Your own text is sent as you wrote it.
              </p>
            )}
            {move.needs && (
              <SellerSees
                status={move.to}
                amount={isOffer ? amount : ''}
                text={reason.trim()}
                code={code}
                locale={locale}
              />
            )}
          </div>
        </div>
      )}
      {move.to === 'completed' && <ConfirmationField optional {...form.field('reference')} />}
      <FormActions
        ref={confirm}
        autoFocus={!asked}
        variant={move.needs === 'reason' ? 'danger' : 'primary'}
        loading={decision.isPending}
        aria-disabled={missingIn(form.values).length > 0 || claim.other !== undefined || undefined}
        onCancel={onClose}
      >
        {isOffer ? offerLabel(amount) : moveLabel(move)}
      </FormActions>
    </Form>
  )
}

/** The listed reason with this text. Its seller reads it in their own language. */
function findReason(move: Move, text: string): ReasonCode | undefined {
  const t = translate()
  const codes: readonly ReasonCode[] = reasonCategoriesFor(move.name).flatMap(({ reasons }) => reasons)
  return codes.find((code) => t(`reasons.text.${code}`) === text)
}

function offerProblems(amount: string, faceValue: string): FieldProblem[] {
  if (!amount.trim()) return [{ path: 'amount', code: 'offer_amount_required' }]
  const isTooHigh = (parseDollars(amount) ?? 0) > (parseDollars(faceValue) ?? 0)
  const params = { maximum: inDollars(faceValue) }
  return isTooHigh ? [{ path: 'amount', code: 'offer_amount_too_high', params }] : []
}

function offerLabel(amount: string): string {
  const cents = parseDollars(amount)
  return cents === undefined ? 'Make Offer' : `Offer ${toDollars(cents)}`
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
  const { quotedPrice, denomination } = submission
  const cents = parseDollars(amount)
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
        hint={field.error ? undefined : `At most the face value, ${inDollars(denomination)}`}
        {...field}
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
        <p>
          Records that {user.username} was paid {price} by {type ? t(`payments.type.${type}`) : paymentType},
          by hand.
          {move.name === 'approve' && ' To pay it in a batch instead, choose Start Processing.'}
        </p>
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
          The payout of {price} is canceled. The seller reads that the money is safe and is asked for another
          account, unless you choose a reason about the card.
        </p>
      )
    default:
      return null
  }
}

interface SellerSeesProps {
  status: Status
  /** The amount of an offer, as typed. */
  amount: string
  text: string
  /** If the text is a listed reason. */
  code: ReasonCode | undefined
  locale: Locale
}

function SellerSees({ status, amount, text, code, locale }: SellerSeesProps) {
  const t = useSellerWords(locale)
  const { sellerStatus } = statusRules[status]
  const cents = parseDollars(amount)
  return (
    <section aria-label="What the seller will see" className="grid gap-2">
      <p className="font-medium text-sm">What the seller will see</p>
      <div className="grid justify-items-start gap-2 rounded-md bg-sunken p-4">
        <div lang={t.locale} className="contents">
          <StatusBadge status={sellerStatus} label={t(`statuses.label.${sellerStatus}`)} />
          <p className="font-medium">{t(`statuses.text.${sellerStatus}`)}</p>
        </div>
        {cents !== undefined && <Money amount={toDecimal(cents)} size="lg" />}
        {text ? (
          <p lang={code && t.locale} className="max-w-full whitespace-pre-line text-sm wrap-anywhere">
            {code ? t(`reasons.text.${code}`) : text}
          </p>
        ) : (
          <p className="text-soft text-sm italic">Nothing written yet</p>
        )}
      </div>
    </section>
  )
}

/** The texts in the seller's language. In that of the page until they are loaded. */
function useSellerWords(locale: Locale) {
  const own = useWords()
  const { data } = useQuery({
    queryKey: ['words', locale],
    queryFn: () => loadTranslate(locale, 'staff'),
    enabled: locale !== own.locale,
  })
  return data ?? own
}
