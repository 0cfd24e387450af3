import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { because, singlePayment, type WirePayout, worksheetPayment } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { failureOf, isAboutLimit } from '#domain/failure.ts'
import { inDollars, parseDollars } from '#domain/money.ts'
import { mayMovePayout } from '#domain/payout.ts'
import { findMove } from '#domain/submission.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Badge } from '#web/kit/Badge.tsx'
import { Button } from '#web/kit/Button.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Time } from '#web/kit/Time.tsx'
import { call } from '#web/wire/call.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { useWords } from '#web/words/words.ts'
import { ConfirmationField, ReasonField } from '../facts/action-fields.tsx'
import { LanguageBadge } from '../facts/badges.tsx'
import { HoldNotice } from '../facts/HoldNotice.tsx'
import { OtherPayouts, stoppedBy } from '../facts/OtherPayouts.tsx'
import { payoutWords } from '../facts/payout-words.ts'
import { ReasonPicker } from '../facts/ReasonPicker.tsx'
import { findReason, SellerPreview, SellerReason, useSellerWords } from '../facts/SellerReason.tsx'
import { useReferenceWarning } from '../facts/use-reference-warning.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { useKeep } from '../shell/payout-queries.ts'
import { useStaff } from '../shell/use-staff.ts'

type Asked = 'paid' | 'reference' | 'return' | 'takeOut' | 'notSent' | 'lift' | 'void'

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
  // PayPal can still pay it.
  const mayReturn = mayMovePayout(state, 'return') && !payout.providerState
  const mayVoid = mayMovePayout(state, 'void')
  useKeys({
    ...(mayConfirm && { markPaid: () => ask('paid') }),
    ...(mayReturn && { recordReturn: () => ask('return') }),
    ...(payout.deadAccount && { allowAccount: () => ask('lift') }),
    ...(mayVoid && { voidPayout: () => ask('void') }),
  })
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {payout.deadAccount && (
        <KeyButton action="allowAccount" variant="secondary" size="sm" onClick={() => ask('lift')}>
          Allow account
        </KeyButton>
      )}
      {mayConfirm && (
        <KeyButton action="markPaid" variant="secondary" size="sm" onClick={() => ask('paid')}>
          {byHand ? 'Paid by hand' : 'Mark as paid'}
        </KeyButton>
      )}
      {state === 'paid' && (
        <Button variant="secondary" size="sm" onClick={() => ask('reference')}>
          {payout.reference ? 'Correct number' : 'Add number'}
        </Button>
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
      {state === 'batched' && (
        <Button variant="secondary" size="sm" onClick={() => ask('takeOut')}>
          Take out
        </Button>
      )}
      {mayVoid && (
        <KeyButton
          action="voidPayout"
          variant="secondary"
          size="sm"
          className="text-negative"
          onClick={() => ask('void')}
        >
          Void
        </KeyButton>
      )}
      <ActionOf key={asked} what={asked} payout={payout} open={isOpen} onClose={() => setOpen(false)} />
    </div>
  )
}

/** Beside a payment by hand, for an account that does not take it. */
export function RecordReturn({ payout }: { payout: WirePayout }) {
  const [isOpen, setOpen] = useState(false)
  useKeys({ recordReturn: () => setOpen(true) })
  return (
    <div className="-ml-3 flex">
      <KeyButton action="recordReturn" variant="quiet" size="sm" onClick={() => setOpen(true)}>
        Cannot be paid
      </KeyButton>
      <ActionOf what="return" payout={payout} open={isOpen} onClose={() => setOpen(false)} />
    </div>
  )
}

interface ActionOfProps {
  what: Asked
  payout: WirePayout
  open: boolean
  onClose: () => void
}

/** Asks before something is recorded about a payout. */
function ActionOf({ what, payout, ...dialog }: ActionOfProps) {
  const t = useWords()
  const sellerWords = useSellerWords(payout.locale)
  const keep = useKeep()
  const { id, number, state, amount, accountName, batchableAt, batchNumber, entry } = payout
  const params = { id }
  const markPaid = useReferenceWarning((body) => call(routes.markPayoutPaid, { params, body }))
  const correctReference = useReferenceWarning((body: { reference: string }) =>
    call(routes.correctReference, { params, body }),
  )
  const shown = {
    ...dialog,
    ...titles[what],
    submit: titles[what].title,
    failed: 'It could not be recorded.',
    done: (changed: WirePayout) => ({
      title: 'Payout Updated',
      description:
        what === 'takeOut'
          ? `Payout ${number} is out of batch ${batchNumber}`
          : `Payout ${number}: ${payoutWords[changed.state].name}`,
    }),
    onDone: keep.payout,
  }
  const money = <Money amount={amount} className="font-semibold" />
  const type = t(`payments.type.${payout.paymentType}`)
  const together = entry && (
    <Notice tone="caution" title={`Applies to all ${entry.count} cards of payment ${entry.number}`}>
      They left as one payment of <Money amount={entry.total} />.
    </Notice>
  )
  const about = (
    <p>
      Payout {number}: {money} {accountName !== null && `to ${accountName}`} by {type}{' '}
      <LanguageBadge locale={payout.locale} />
    </p>
  )
  switch (what) {
    case 'paid':
      return (
        <ActionDialog
          {...shown}
          schema={singlePayment}
          start={{ reference: '' }}
          send={markPaid}
          submit={
            <span>
              Mark <Money amount={amount} /> as paid
            </span>
          }
        >
          {(field) => (
            <>
              {together}
              <p>
                Payout {number}: {money} was sent to {accountName} by {type}.
              </p>
              {state === 'due' && Date.parse(batchableAt) > serverNow() && <HoldNotice until={batchableAt} />}
              <ConfirmationField optional autoFocus {...field('reference')} />
            </>
          )}
        </ActionDialog>
      )
    case 'reference':
      return (
        <ActionDialog
          {...shown}
          schema={worksheetPayment}
          start={{ reference: payout.reference ?? '' }}
          send={correctReference}
          submit="Save number"
        >
          {(field) => (
            <>
              {together}
              {about}
              <ConfirmationField autoFocus {...field('reference')} />
            </>
          )}
        </ActionDialog>
      )
    case 'return':
      return (
        <ActionDialog
          {...shown}
          wide
          schema={because}
          start={{ reason: '' }}
          send={(body) => call(routes.returnPayout, { params, body })}
          danger
        >
          {(field, form) => (
            <>
              {together}
              {about}
              <div className="grid gap-5 md:grid-cols-[3fr_2fr]">
                <ReasonPicker
                  move="fail"
                  brand={undefined}
                  noun="reason"
                  autoFocus
                  onPick={(picked) => {
                    const code = findReason('fail', picked)
                    form.setValue('reason', code ? sellerWords(`reasons.text.${code}`) : picked)
                    form.focus('reason')
                  }}
                />
                <div className="grid content-start gap-4">
                  <ReasonField
                    does="send"
                    rows={2}
                    autoFocus={false}
                    hint="The seller reads this text"
                    {...field('reason')}
                  />
                  {isAboutLimit(reasonOf(form.values.reason)) && (
                    <p className="text-soft text-sm">
                      The account can be paid another day, so other payouts to it do not wait.
                    </p>
                  )}
                  <SellerPreview
                    locale={sellerWords.locale}
                    badge={
                      <Badge tone="caution" icon={Undo2}>
                        {sellerWords('payoutStatus.badge.returned')}
                      </Badge>
                    }
                    sentence={`${sellerWords('payoutStatus.safe', { amount: inDollars(amount) })} ${sellerWords('payoutStatus.returned')}`}
                    text={
                      form.values.reason.trim() &&
                      sellerWords('payoutStatus.returned.reason', { reason: form.values.reason.trim() })
                    }
                  />
                </div>
              </div>
            </>
          )}
        </ActionDialog>
      )
    case 'takeOut':
      return (
        <ActionDialog
          {...shown}
          send={() => call(routes.takeOutPayout, { params })}
          focusSubmit
          submit="Take out"
        >
          <p>
            Payout {number}: {money} to {accountName}, in batch {batchNumber}
          </p>
        </ActionDialog>
      )
    case 'notSent':
      return (
        <ActionDialog
          {...shown}
          send={() => call(routes.recordNotSent, { params })}
          focusSubmit
          submit="It was not sent"
        >
          <NeverLeft payout={payout} />
        </ActionDialog>
      )
    case 'lift':
      return (
        <ActionDialog
          {...shown}
          schema={because}
          start={{ reason: '' }}
          send={(body) => call(routes.liftDeadAccount, { params, body })}
        >
          {(field) => (
            <>
              {about}
              <ReasonField {...field('reason')} />
            </>
          )}
        </ActionDialog>
      )
    case 'void':
      return (
        <ActionDialog
          {...shown}
          wide
          description={
            <>
              Payout {number}: {money} to {accountName} by {type} <LanguageBadge locale={payout.locale} />
            </>
          }
          schema={because}
          start={{ reason: '' }}
          send={(body) => call(routes.voidPayout, { params, body })}
          danger
        >
          {(field, form) => (
            <>
              {state === 'released' && (
                <p>
                  Batch {batchNumber} was released and cannot change, so it is dissolved: its other payouts
                  are due again{stoppedBy(payout, form.values.reason) && ', except those to this account'}.
                </p>
              )}
              {form.values.reason.trim() && (
                <p>
                  {isAboutAccount(form.values.reason)
                    ? 'We still owe the money. The seller is asked for another account.'
                    : 'We no longer owe the money. The seller is not asked for another account.'}
                </p>
              )}
              {failing && (
                <SellerReason
                  move={failing}
                  seller={payout}
                  amount={priceOf(payout)}
                  text={form.values.reason}
                  field={field('reason')}
                  onPick={(picked) => {
                    form.setValue('reason', picked)
                    form.focus('reason')
                  }}
                >
                  <OtherPayouts payout={payout} text={form.values.reason}>
                    <p className="text-soft text-sm">If you paid it another way, mark it as paid instead.</p>
                  </OtherPayouts>
                </SellerReason>
              )}
            </>
          )}
        </ActionDialog>
      )
  }
}

/** Voiding a payout makes this move of its submission. */
const failing = findMove('processing', 'failed', 'staff')

/** The listed reason with this text. */
const reasonOf = (text: string) => failing && findReason(failing.name, text.trim())

const isAboutAccount = (text: string) =>
  failureOf({ status: 'failed', reasonCode: reasonOf(text) ?? null }) === 'account'

/** What the seller gets for the card, in cents: also what was deducted. */
const priceOf = ({ amount, deducted }: WirePayout) =>
  (parseDollars(amount) ?? 0) + (parseDollars(deducted) ?? 0)

function NeverLeft({ payout: { amount, accountName, paidBefore } }: { payout: WirePayout }) {
  const { reference, sentAt, abandonedBatch } = paidBefore ?? {}
  return (
    <p>
      <Money amount={amount} className="font-semibold" /> to {accountName},{' '}
      {abandonedBatch
        ? `reported by PayPal in abandoned batch ${abandonedBatch}`
        : 'recorded as paid by hand'}{' '}
      {sentAt && <Time at={sentAt} as="dateTime" />}
      {reference && ` with confirmation number ${reference}`}, never left.
    </p>
  )
}

const titles = {
  paid: { title: 'Mark as paid', description: 'Completes the submission and tells the seller.' },
  reference: {
    title: 'Confirmation number',
    description: 'The seller sees it at once and gets no email. The audit log has the number before.',
  },
  return: {
    title: 'Record return',
    description:
      'The money came back, or could not be sent. The seller reads the reason and is asked for another account. Their other payouts to this one wait until then.',
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
  void: { title: 'Void payout', description: undefined },
} as const
