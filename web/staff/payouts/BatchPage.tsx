import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, FileX, Layers } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { WireBatch } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { may } from '#domain/roles.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useLocation } from '#web/kit/router/index.ts'
import { clockIn, Time } from '#web/kit/Time.tsx'
import { ApiError } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'
import { useNow } from '#web/wire/use-now.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { CopyButton } from '../facts/CopyButton.tsx'
import { BatchBadge } from '../facts/PayoutBadge.tsx'
import { batchMaker, cameBackWarning, contentsOf, fileWords, problemWarning } from '../facts/payout-words.ts'
import { usePagedList } from '../list/use-paged-list.ts'
import { PAGE_SIZE } from '../shell/payout-queries.ts'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { useStaff } from '../shell/use-staff.ts'
import { BatchActions } from './BatchActions.tsx'
import { BatchSteps } from './BatchSteps.tsx'
import { PayoutList } from './PayoutList.tsx'
import { ProviderStatus } from './ProviderStatus.tsx'

/** One batch: what is in it, who did what, and what comes next. */
export function BatchPage({ id }: { id: string }) {
  const query = useQuery(read(routes.payoutBatch, { params: { id } }))
  const list = usePagedList(routes.payouts, { limit: PAGE_SIZE, batchId: id })
  if (!query.data) {
    const isGone = query.error instanceof ApiError && [400, 404].includes(query.error.status)
    return (
      <div className="p-4 lg:px-6">
        {isGone ? (
          <EmptyState icon={<FileX />} title="Batch not found" action={<BackToBatches />}>
            The link is wrong or incomplete.
          </EmptyState>
        ) : (
          <QueryStatus query={query} noun="the batch" rows={4} />
        )}
      </div>
    )
  }
  return (
    <PayoutList
      list={list}
      usual={usualStateOf(query.data)}
      head={<BatchHead batch={query.data} />}
      empty={
        <EmptyState icon={<Layers />} title="No payout is in this batch">
          {query.data.state === 'void'
            ? 'The batch was dissolved. Its payouts are due again.'
            : 'All of its payouts were voided.'}
        </EmptyState>
      }
    />
  )
}

/** The state of every payout of a batch until something happens to it. On a worksheet each row shows what is left to pay. */
function usualStateOf({ file, state }: WireBatch) {
  return file === 'worksheet' && state === 'exported' ? undefined : usualStates[state]
}

const usualStates = {
  open: 'batched',
  frozen: 'batched',
  released: 'released',
  exported: 'exported',
  settled: 'paid',
  rejected: 'void',
  void: 'void',
} as const

function BatchHead({ batch }: { batch: WireBatch }) {
  const t = useWords()
  const { admin } = useStaff()
  const heading = useFocusAfterNavigation()
  const { number, file, paymentTypes, total, paidCount, returnedCount } = batch
  return (
    <div className="grid grid-cols-1 gap-4 border-line border-b p-4">
      <BackToBatches />
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid gap-0.5">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
              Batch {number}
            </h2>
            <BatchBadge batch={batch} />
          </div>
          <p className="text-soft text-sm">
            {batch.sentBy ? 'Through PayPal' : fileWords[file]} ·{' '}
            {paymentTypes.map((type) => t(`payments.type.${type}`)).join(', ')}
            {batch.onePerSeller && ' · One payment per seller'}
            {batch.createdBy === null && ` · ${batchMaker(batch)}`}
          </p>
        </div>
        <div className="grid gap-0.5 sm:justify-items-end">
          <Money amount={total} size="xl" />
          <p className="figures text-soft text-sm">
            {contentsOf(batch)}
            {paidCount > 0 && `, ${paidCount.toLocaleString('en-US')} paid`}
            {returnedCount > 0 && (
              <span className="text-negative">, {returnedCount.toLocaleString('en-US')} returned</span>
            )}
          </p>
        </div>
      </header>
      <BatchSteps batch={batch} />
      {batch.cutoff && <Cutoff {...batch.cutoff} isReleased={batch.state === 'released'} />}
      {batch.sameDayCutoff && <Cutoff {...batch.sameDayCutoff} isReleased={false} isSameDay />}
      {batch.problemCount > 0 && (
        <Notice tone="negative" title={problemWarning(batch.problemCount)}>
          The list marks {batch.problemCount === 1 ? 'it' : 'them'}. Open{' '}
          {batch.problemCount === 1 ? 'it' : 'each'} and take it out of the batch.{' '}
          {batch.state === 'frozen' && 'The batch is then open: freeze it again.'}
        </Notice>
      )}
      {batch.problemCount === 0 && batch.cameBackCount > 0 && (
        <Notice tone="caution" title={cameBackWarning(batch.cameBackCount)}>
          The list marks {batch.cameBackCount === 1 ? 'it' : 'them'}. To keep one back,{' '}
          {batch.state === 'released' ? 'dissolve the batch' : 'open it and take it out of the batch'}.
        </Notice>
      )}
      {batch.isLate && (
        <Notice tone="caution" title="This batch should be on the statement by now">
          Import the statement, or ask the bank or service where the money is.
        </Notice>
      )}
      {batch.providerState && <ProviderStatus batch={batch} />}
      {may(admin.role, 'pay') && <BatchActions batch={batch} />}
      <FileFacts batch={batch} />
    </div>
  )
}

/** The button that created or opened the batch is gone, so the focus continues at its heading. */
function useFocusAfterNavigation() {
  const { action } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  const focusIfLost = useEffectEvent(() => {
    if (action !== 'pop' && document.activeElement === document.body) heading.current?.focus()
  })
  useEffect(() => focusIfLost(), [])
  return heading
}

/** The time by which the batch has to leave, in the bank's time zone. Counts down. */
function Cutoff({ at, settlesOn, isReleased, isSameDay = false }: CutoffProps) {
  const words = useWords()
  const client = useQueryClient()
  const left = Date.parse(at) - useNow(MINUTE_MS)
  // Then the next day's cut-off counts.
  useEffect(() => {
    if (left <= 0) void refresh(client, routes.payoutBatch)
  }, [left, client])
  if (left <= 0) return null
  const minutes = Math.ceil(left / MINUTE_MS)
  const hours = Math.floor(minutes / 60)
  const rest = `${minutes % 60} min`
  const time = clockIn(words, new Date(at), 'America/New_York')
  return (
    <p className="text-pretty text-sm">
      {isSameDay ? 'Same day: release and send' : isReleased ? 'Send the file' : 'Release and send'} before{' '}
      <span className="font-medium">{time} ET</span>
      {hours < 24 && ` (${hours > 0 ? `${hours} h ` : ''}${rest} left)`}
      {hours >= 24 && (
        <>
          {' '}
          on <Time at={at.slice(0, 10)} as="weekday" />
        </>
      )}{' '}
      to settle on <Time at={settlesOn} as="weekday" />.
    </p>
  )
}

type CutoffProps = NonNullable<WireBatch['cutoff']> & { isReleased: boolean; isSameDay?: boolean }

const MINUTE_MS = 60_000

function FileFacts({ batch }: { batch: WireBatch }) {
  const { fileSha256, expectedOn, file, settledOn, settlementReference, settlementFee, sentBy } = batch
  const hasFile = fileSha256 !== null && file !== 'worksheet' && !sentBy
  if (!hasFile && !settledOn) return null
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm *:flex *:min-w-0 *:items-center *:gap-x-2">
      {hasFile && (
        <div>
          <dt className="shrink-0 text-soft">SHA-256 of the file</dt>
          <dd className="flex min-w-0 items-center gap-1">
            <span className="truncate font-mono text-xs" title={fileSha256}>
              {fileSha256}
            </span>
            <CopyButton name="SHA-256" value={fileSha256} />
          </dd>
        </div>
      )}
      {hasFile && expectedOn && !settledOn && (
        <div>
          <dt className="text-soft">Money arrives</dt>
          <dd>
            <Time at={expectedOn} as="day" />
          </dd>
        </div>
      )}
      {settledOn && (
        <div>
          <dt className="text-soft">{sentBy ? 'Finished by PayPal' : 'On the statement of'}</dt>
          <dd>
            <Time at={settledOn} as="day" />
            {settlementReference && `, ${settlementReference}`}
          </dd>
        </div>
      )}
      {settlementFee !== '0.00' && (
        <div>
          <dt className="text-soft">Fee</dt>
          <dd>
            <Money amount={settlementFee} />
          </dd>
        </div>
      )}
    </dl>
  )
}

function BackToBatches() {
  return (
    <ButtonLink
      to={`${paths.adminPayouts}?view=batches`}
      variant="quiet"
      size="sm"
      className="-my-1 -ml-2 justify-self-start px-2"
      icon={<ChevronLeft />}
    >
      All batches
    </ButtonLink>
  )
}
