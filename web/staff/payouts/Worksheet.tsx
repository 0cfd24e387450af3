import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, Check, ChevronLeft, CircleCheckBig } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type WireBatch, type WirePayout, worksheetPayment } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { mayMovePayout, sentBatchStates } from '#domain/payout.ts'
import { referenceOf } from '#domain/reference.ts'
import { toastUnlessAtField, useCallForm } from '#web/forms/use-call-form.ts'
import { ButtonLink, TextLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Progress } from '#web/kit/Progress.tsx'
import { call } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { ConfirmationField } from '../facts/action-fields.tsx'
import { ClaimNotice } from '../facts/ClaimNotice.tsx'
import { CopyButton } from '../facts/CopyButton.tsx'
import { Fact, Facts } from '../facts/Facts.tsx'
import { PayoutBadge } from '../facts/PayoutBadge.tsx'
import { leadsPayment, problemWords } from '../facts/payout-words.ts'
import { RevealButton } from '../facts/RevealButton.tsx'
import { useClaim } from '../facts/use-claim.ts'
import { useReferenceWarning } from '../facts/use-reference-warning.ts'
import { usePagedList } from '../list/use-paged-list.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { PAGE_SIZE, useKeep } from '../shell/payout-queries.ts'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { Account, useAccount } from './Account.tsx'
import { RecordReturn } from './PayoutActions.tsx'
import { usePayoutView } from './use-payout-view.ts'

/** Pays the payouts of a batch by hand, one after the other. */
export function Worksheet({ batchId }: { batchId: string }) {
  const batch = useQuery(read(routes.payoutBatch, { params: { id: batchId } }))
  const list = usePagedList(routes.payouts, { limit: PAGE_SIZE, batchId })
  const { fetchNextPage, hasNextPage, isFetching } = list.query
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage])
  // The first payout of a payment represents all of it.
  const payouts = list.rows.filter(leadsPayment)
  const together = Map.groupBy(list.rows, ({ entry }) => entry?.number)
  const isStarted = batch.data && sentBatchStates.includes(batch.data.state)
  // The start made them payable: while the list still loads again, nothing would seem to be left to pay.
  const isOutdated = list.rows.some(({ state }) => mayMovePayout(state, 'export'))
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-3 md:p-4 lg:px-6">
      <div className="mx-auto grid max-w-2xl grid-cols-1 gap-3">
        <BackToBatch batchId={batchId} batch={batch.data} />
        {batch.data && !isStarted ? (
          <EmptyState title="Nobody has started to pay this batch" />
        ) : list.query.data && !hasNextPage && !isOutdated ? (
          <Pages payouts={payouts} together={together} batchId={batchId} />
        ) : (
          <QueryStatus
            query={{ ...list.query, isPending: list.query.isPending || isOutdated }}
            noun="the worksheet"
            rows={4}
          />
        )}
      </div>
    </div>
  )
}

type Together = ReadonlyMap<number | undefined, readonly WirePayout[]>

function Pages({
  payouts,
  together,
  batchId,
}: {
  payouts: readonly WirePayout[]
  together: Together
  batchId: string
}) {
  const firstOpen = payouts.findIndex(isToPay)
  const [index, setIndex] = useState(Math.max(firstOpen, 0))
  const [paid, setPaid] = useState<readonly WirePayout[]>([])
  // The list still loads again after a payment.
  const isLeft = (one: WirePayout) => isToPay(one) && !paid.some(({ id }) => id === one.id)
  const left = payouts.filter(isLeft).length
  const lastPaid = paid.at(-1)
  const payout = payouts[index]
  const go = (next: number) => setIndex(Math.min(Math.max(next, 0), payouts.length - 1))
  useKeys({ payoutNext: () => go(index + 1), payoutPrevious: () => go(index - 1) })

  /** Goes to the next unpaid payout, or else to a skipped one. */
  function goOn(latest: WirePayout) {
    setPaid([...paid, latest])
    const others = payouts
      .map((one, at) => ({ one, at }))
      .filter(({ one, at }) => isLeft(one) && at !== index)
    const next = others.find(({ at }) => at > index) ?? others[0]
    if (next) go(next.at)
  }

  if (!payout) return <EmptyState title="No payout is in this batch" />
  return (
    <>
      <div className="grid gap-2">
        <div className="flex items-center justify-between gap-2">
          <KeyButton
            action="payoutPrevious"
            variant="quiet"
            size="sm"
            icon={<ArrowLeft />}
            disabled={index === 0}
            onClick={() => go(index - 1)}
          >
            Previous
          </KeyButton>
          <p role="status" className="figures text-center text-sm">
            <strong className="whitespace-nowrap font-semibold">
              {index + 1} of {payouts.length}
            </strong>
            <span className="whitespace-nowrap text-soft max-sm:block">
              <span className="max-sm:hidden"> · </span>
              {left === 0 ? 'none left' : `${left} to pay`}
            </span>
          </p>
          <KeyButton
            action="payoutNext"
            variant="quiet"
            size="sm"
            disabled={index === payouts.length - 1}
            onClick={() => go(index + 1)}
          >
            {isToPay(payout) ? 'Skip' : 'Next'} <ArrowRight />
          </KeyButton>
        </div>
        <Progress share={1 - left / payouts.length} label="Paid" />
        <p role="status" className="min-h-5 text-center text-positive text-sm">
          {lastPaid && (
            <>
              <Check className="mr-1 inline align-[-0.125em]" />
              <Money amount={sentAmount(lastPaid)} /> to {lastPaid.accountName} recorded as paid
            </>
          )}
        </p>
      </div>
      {left === 0 && <Done batchId={batchId} />}
      <PayOne
        key={payout.id}
        payout={payout}
        cards={(payout.entry && together.get(payout.entry.number)) ?? [payout]}
        onPaid={goOn}
      />
    </>
  )
}

function isToPay({ state }: WirePayout): boolean {
  return mayMovePayout(state, 'confirm')
}

const sentAmount = ({ amount, entry }: WirePayout): string => entry?.total ?? amount

interface PayOneProps {
  payout: WirePayout
  /** The payouts of the same payment. */
  cards: readonly WirePayout[]
  onPaid: (paid: WirePayout) => void
}

function PayOne({ payout, cards, onPaid }: PayOneProps) {
  const t = useWords()
  const reveal = useAccount(payout, { worksheet: true })
  const toPay = isToPay(payout)
  const submission = useQuery(read(routes.staffSubmission, { params: { id: payout.submissionId } })).data
  // The claim also shows on the review desk. The server requires it when the payment is recorded.
  const claim = useClaim(
    { id: payout.submissionId, status: 'processing', claimedBy: submission?.claimedBy ?? null },
    { isNeeded: toPay },
  )
  const mayPay = toPay && !claim.other && !submission?.onHold
  const heading = useRef<HTMLHeadingElement>(null)
  // The previous payout's field had the focus.
  useEffect(() => heading.current?.focus(), [])
  useKeys(mayPay || !toPay ? { revealAccount: reveal.toggle } : {})
  return (
    <section
      aria-label={`Payout ${payout.number}`}
      className="grid grid-cols-1 gap-5 rounded-lg border border-line bg-surface p-5 md:p-7"
    >
      <header className="grid gap-1">
        <h2
          ref={heading}
          tabIndex={-1}
          className="flex flex-wrap items-center gap-x-3 text-base outline-none"
        >
          {t(`payments.type.${payout.paymentType}`)}
          {!toPay && <PayoutBadge payout={payout} />}
        </h2>
        <Money amount={sentAmount(payout)} size="figure" />
        <p className="text-soft text-sm">
          Payout {payout.number} to{' '}
          <TextLink to={pathTo('adminSeller', { id: payout.sellerId })}>{payout.username}</TextLink> for{' '}
          {cards.length > 1 ? (
            `${cards.length} cards`
          ) : (
            <>
              {payout.brandName}{' '}
              <span className="whitespace-nowrap font-mono text-xs">{referenceOf(payout.submissionId)}</span>
            </>
          )}
        </p>
      </header>
      {toPay && submission?.onHold && (
        <Notice tone="caution" title={`${problemWords.on_hold.name}: do not pay it`}>
          {problemWords.on_hold.whatToDo}
        </Notice>
      )}
      {toPay && (
        <ClaimNotice claim={claim} isDecided>
          Skip it or take it over, so that you do not both send the money.
        </ClaimNotice>
      )}
      <Facts
        title="Send to"
        action={(mayPay || !toPay) && <RevealButton reveal={reveal} action="revealAccount" />}
      >
        <Account payout={payout} reveal={reveal} />
        <Fact name="Amount" action={<CopyButton name="amount" value={sentAmount(payout)} />}>
          <Money amount={sentAmount(payout)} />
        </Fact>
        {cards.length > 1 && (
          <Fact name="Cards">
            {cards.map(({ id, brandName, submissionId, amount }) => (
              <span key={id} className="block">
                {brandName}{' '}
                <span className="whitespace-nowrap font-mono text-xs">{referenceOf(submissionId)}</span>{' '}
                <Money amount={amount} />
              </span>
            ))}
          </Fact>
        )}
        {payout.reference && (
          <Fact name="Confirmation number" code>
            {payout.reference}
          </Fact>
        )}
      </Facts>
      {mayPay && (
        <>
          <ConfirmationForm payout={payout} onPaid={onPaid} />
          <RecordReturn payout={payout} />
        </>
      )}
    </section>
  )
}

function ConfirmationForm({ payout, onPaid }: { payout: WirePayout; onPaid: (paid: WirePayout) => void }) {
  const keep = useKeep()
  const send = useReferenceWarning((body) => call(routes.markPayoutPaid, { params: { id: payout.id }, body }))
  const { form, sending, submit, field } = useCallForm({
    schema: worksheetPayment,
    start: { reference: '' },
    send,
    onDone: (paid) => {
      keep.payout(paid)
      onPaid(paid)
    },
    failed: toastUnlessAtField('Not Recorded', 'It could not be recorded.'),
  })
  useKeys({ enterReference: () => form.focus('reference') })
  return (
    <Form onSubmit={submit}>
      <ConfirmationField
        hint={
          <>
            From the bank or service. The seller sees it.
            <span className="pointer-coarse:hidden"> Press Enter to type it and Esc to leave the field.</span>
          </>
        }
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        className="font-mono"
        {...field('reference')}
      />
      <KeyButton action="enterReference" type="submit" size="lg" loading={sending.isPending}>
        Paid
      </KeyButton>
    </Form>
  )
}

function Done({ batchId }: { batchId: string }) {
  return (
    <EmptyState
      icon={<CircleCheckBig />}
      title="Nothing is left to pay"
      action={<ButtonLink to={pathTo('adminPayouts', { batch: batchId })}>Back to the batch</ButtonLink>}
    />
  )
}

function BackToBatch({ batchId, batch }: { batchId: string; batch: WireBatch | undefined }) {
  const { linkTo } = usePayoutView()
  return (
    <ButtonLink
      to={batch ? linkTo({ worksheet: undefined }) : pathTo('adminPayouts', { batch: batchId })}
      variant="quiet"
      size="sm"
      className="-ml-2 justify-self-start px-2"
      icon={<ChevronLeft />}
    >
      {batch ? `Batch ${batch.number}` : 'Batch'}
    </ButtonLink>
  )
}
