import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleCheckBig, Layers } from 'lucide-react'
import type { DueTotal, WirePayout } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { parseDollars, toDecimal } from '#domain/money.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { type FileKind, fileKindOf, fileKinds, MAX_BATCH } from '#domain/payout.ts'
import { may } from '#domain/roles.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { CheckField } from '#web/kit/CheckField.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Link, useNavigate } from '#web/kit/router/index.ts'
import { createStoredText, useStore } from '#web/kit/store.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { paths, pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { cameBackWarning, counted, fileWords, isReady } from '../facts/payout-words.ts'
import { usePagedList } from '../list/use-paged-list.ts'
import { type Selection, useSelection } from '../list/use-selection.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { PAGE_SIZE, useKeep } from '../shell/payout-queries.ts'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { useStaff } from '../shell/use-staff.ts'
import { PayoutFilters } from './PayoutFilters.tsx'
import { PayoutList } from './PayoutList.tsx'
import { usePayoutView } from './use-payout-view.ts'

const storedOnePerSeller = createStoredText('localStorage', 'staff-one-payment-per-seller')

/** What we owe and has not left, oldest first, and the buttons that put it into batches. */
export function Due() {
  const { shown, change } = usePayoutView()
  const { q, paymentType, notReady } = shown
  const list = usePagedList(routes.payouts, { limit: PAGE_SIZE, state: 'due', q, paymentType, notReady })
  const selection = useSelection(list.rows, isReady)
  const mayPay = may(useStaff().admin.role, 'pay')
  const onePerSeller = useStore(storedOnePerSeller) === 'on'
  const creation = useCreateBatches(selection, onePerSeller)
  const isFiltered = Boolean(q || paymentType || notReady)
  return (
    <PayoutList
      list={list}
      usual="due"
      selection={selection}
      head={
        <>
          <Totals {...{ creation, mayPay }} isSelecting={selection.selected.length > 0} />
          <AllDue onePerSeller={mayPay ? onePerSeller : undefined} />
          <DayLimit />
        </>
      }
      filters={
        <>
          <PayoutFilters />
          {notReady && (
            <Button variant="secondary" size="sm" onClick={() => change({ notReady: undefined })}>
              Not ready: {fileWords[notReady]} ×<span className="sr-only"> (remove the filter)</span>
            </Button>
          )}
        </>
      }
      lead={mayPay && selection.choosable.length > 0 && <SelectAll selection={selection} />}
      empty={
        isFiltered ? (
          'Change the search or the filters.'
        ) : (
          <EmptyState icon={<CircleCheckBig />} title="Everything is paid or under way">
            Payouts appear here when cards are approved.
          </EmptyState>
        )
      }
      foot={mayPay && <SelectionBar selection={selection} creation={creation} />}
    />
  )
}

interface Wanted {
  paymentTypes: PaymentType[]
  /** By default, all that are ready. */
  payoutIds?: string[]
}

type Creation = ReturnType<typeof useCreateBatches>

/** Makes one batch after the other, and opens it if it is the only one. */
function useCreateBatches(selection: Selection<WirePayout>, onePerSeller: boolean) {
  const navigate = useNavigate()
  const keep = useKeep()
  return useMutation({
    mutationFn: async (wanted: readonly Wanted[]) => {
      const created = []
      for (const { paymentTypes, payoutIds } of wanted) {
        const body = { paymentType: paymentTypes, onePerSeller, ...(payoutIds && { payoutIds }) }
        const batch = await call(routes.createBatch, { body })
        keep.batch(batch)
        created.push(batch)
      }
      return created
    },
    onSuccess: (batches) => {
      selection.clear()
      const [only] = batches.length === 1 ? batches : []
      toast({
        title: only ? 'Batch Created' : 'Batches Created',
        description: `${counted(batches.reduce((sum, { count }) => sum + count, 0))}. Freeze ${only ? 'the batch' : 'each batch'} to fix its contents.`,
      })
      void navigate(only ? pathTo('adminPayouts', { batch: only.id }) : `${paths.adminPayouts}?view=batches`)
    },
    onError: toastFailure('No Batch Created', 'The batch could not be created.'),
  })
}

interface TotalsProps {
  creation: Creation
  mayPay: boolean
  /** Hides the buttons and keeps their space: the bar below the list batches what is selected. */
  isSelecting: boolean
}

/** What is due by file kind, each with a button that batches all of it. */
function Totals(props: TotalsProps) {
  const query = useQuery(read(routes.duePayouts, {}))
  const totals = query.data ?? []
  const kinds = fileKinds.filter((kind) => totals.some(({ file }) => file === kind))
  if (!query.data) {
    return (
      <div className="p-3 empty:hidden">
        <QueryStatus query={query} noun="the totals" />
      </div>
    )
  }
  if (kinds.length === 0) return null
  return (
    <ul
      aria-label="Due by kind of file"
      className="grid divide-y divide-line border-line border-b @2xl:grid-flow-col @2xl:auto-cols-fr @2xl:divide-x @2xl:divide-y-0"
    >
      {kinds.map((kind) => (
        <li key={kind}>
          <KindTotal kind={kind} totals={totals.filter(({ file }) => file === kind)} {...props} />
        </li>
      ))}
    </ul>
  )
}

interface AllDueProps {
  /** Undefined for roles that cannot create batches. */
  onePerSeller: boolean | undefined
}

/** The total of everything that is due, and how new batches pay it. */
function AllDue({ onePerSeller }: AllDueProps) {
  const { data: totals = [] } = useQuery(read(routes.duePayouts, {}))
  const { count, total } = sumOfTotals(totals, 'count', 'total')
  if (count === 0) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line border-b px-4 py-1.5 text-sm">
      <p className="figures text-soft">
        <Money amount={total} className="font-semibold text-ink" /> due and in no batch, {counted(count)}
      </p>
      {onePerSeller !== undefined && (
        <CheckField
          label="Put each seller’s payouts of a new batch into one payment"
          checked={onePerSeller}
          onChange={({ currentTarget }) => storedOnePerSeller.set(currentTarget.checked ? 'on' : null)}
        />
      )}
    </div>
  )
}

interface KindTotalProps extends TotalsProps {
  kind: FileKind
  totals: readonly DueTotal[]
}

function KindTotal({ kind, totals, creation, mayPay, isSelecting }: KindTotalProps) {
  const t = useWords()
  const { shown, linkTo } = usePayoutView()
  const ready = sumOfTotals(totals, 'readyCount', 'readyTotal')
  const all = sumOfTotals(totals, 'count', 'total')
  const notReady = all.count - ready.count
  const unconfirmed = totals.reduce((sum, { unconfirmedCount }) => sum + unconfirmedCount, 0)
  const cameBack = totals.reduce((sum, { cameBackCount }) => sum + cameBackCount, 0)
  const prenotes = totals.reduce((sum, { prenoteCount }) => sum + prenoteCount, 0)
  const paymentTypes = totals.map(({ paymentType }) => paymentType)
  const size = Math.min(ready.count, MAX_BATCH[kind])
  const label = ready.count > 0 ? `Create batch of ${size.toLocaleString('en-US')}` : 'Create batch'
  const isPending = creation.isPending && creation.variables[0]?.paymentTypes.join() === paymentTypes.join()
  return (
    <section
      aria-label={fileWords[kind]}
      // The same at the widths of a list with and without an open payout, so that opening one moves nothing.
      className="grid h-full content-start gap-1.5 p-4 @2xl:@max-[84rem]:content-stretch"
    >
      <div className="flex items-start justify-between gap-x-3 gap-y-2 @2xl:@max-[84rem]:flex-col">
        <div>
          <h2 className="text-soft text-sm tracking-normal">{fileWords[kind]}</h2>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <Money amount={ready.total} size="lg" />
            <span className="figures whitespace-nowrap text-soft text-sm">
              {ready.count.toLocaleString('en-US')}{' '}
              <span className="@max-6xl:sr-only">{ready.count === 1 ? 'payout' : 'payouts'}</span> ready
            </span>
          </p>
          {totals.some(({ sentBy }) => sentBy) && <ProviderBalance />}
          {notReady > 0 && (
            <p className="figures text-soft text-sm">
              <TextLink to={linkTo({ notReady: kind, paymentType: undefined })} replace>
                {notReady.toLocaleString('en-US')} not ready
              </TextLink>
              , <Money amount={sumOf([all.total, `-${ready.total}`])} />
            </p>
          )}
          {totals.length > 1 && ready.count > 0 && (
            <ul className="hidden flex-wrap gap-x-4 text-sm @4xl:flex">
              {totals.map(({ paymentType, readyCount, readyTotal }) => (
                <li key={paymentType}>
                  <Link
                    to={linkTo({ paymentType: shown.paymentType === paymentType ? undefined : paymentType })}
                    replace
                    aria-current={shown.paymentType === paymentType ? 'true' : undefined}
                    className="figures inline-flex min-h-6 items-center gap-1 whitespace-nowrap text-soft underline-offset-4 hover:underline aria-[current]:text-accent aria-[current]:underline"
                  >
                    {t(`payments.type.${paymentType}`)} {readyCount.toLocaleString('en-US')} ·{' '}
                    <Money amount={readyTotal} />
                  </Link>
                </li>
              ))}
            </ul>
          )}
          {cameBack > 0 && <p className="text-caution text-sm">{cameBackWarning(cameBack)}</p>}
          {unconfirmed > 0 && (
            <p className="figures text-caution text-sm">
              {unconfirmed.toLocaleString('en-US')} {unconfirmed === 1 ? 'waits' : 'wait'} for email
            </p>
          )}
        </div>
        {mayPay && (ready.count > 0 || prenotes > 0) && (
          <Button
            variant="secondary"
            size="sm"
            loading={isPending}
            disabled={creation.isPending}
            className={cx('shrink-0 whitespace-nowrap', isSelecting && 'invisible')}
            aria-label={`${label}: ${fileWords[kind]}${ready.count > 0 ? '' : ', only prenotes'}`}
            onClick={() => creation.mutate([{ paymentTypes }])}
          >
            {label}
          </Button>
        )}
      </div>
      {ready.count > MAX_BATCH[kind] && (
        <p className="text-soft text-sm">
          A batch takes the oldest {MAX_BATCH[kind].toLocaleString('en-US')} of them.
        </p>
      )}
    </section>
  )
}

/** What PayPal can pay out. Says so if it does not tell. */
function ProviderBalance() {
  const { data } = useQuery(read(routes.payoutCash, {}))
  if (!data?.provider) return null
  return (
    <p className="figures text-soft text-sm">
      {data.balance === null ? (
        'Balance at PayPal not known'
      ) : (
        <>
          Balance at PayPal: <Money amount={data.balance} />
        </>
      )}
    </p>
  )
}

/** How much of the day's limit is used, if there is one. */
function DayLimit() {
  const { data } = useQuery(read(routes.payoutCash, {}))
  if (!data?.today) return null
  const { limit, sent, left } = data.today
  return (
    <p className="figures border-line border-b px-4 py-2.5 text-soft text-sm">
      Released or paid today: <Money amount={sent} /> of <Money amount={limit} /> ·{' '}
      {left === '0.00' ? (
        'nothing more can leave until midnight'
      ) : (
        <>
          <Money amount={left} /> left
        </>
      )}
    </p>
  )
}

function sumOfTotals(
  totals: readonly DueTotal[],
  count: 'count' | 'readyCount',
  total: 'total' | 'readyTotal',
): { count: number; total: string } {
  return {
    count: totals.reduce((sum, one) => sum + one[count], 0),
    total: sumOf(totals.map((one) => one[total])),
  }
}

function SelectAll({ selection }: { selection: Selection<WirePayout> }) {
  const { choosable, selected, hasAll, toggleAll } = selection
  return (
    <CheckField
      label={`Select all ${choosable.length.toLocaleString('en-US')} ready`}
      checked={hasAll}
      ref={(box) => {
        if (box) box.indeterminate = !hasAll && selected.length > 0
      }}
      onChange={toggleAll}
      className="pl-1.5 font-medium text-ink"
    />
  )
}

interface SelectionBarProps {
  selection: Selection<WirePayout>
  creation: Creation
}

/** How many payouts are selected and their total. Payouts of several kinds of files make several batches. */
function SelectionBar({ selection, creation }: SelectionBarProps) {
  const { selected, clear, leaveOut } = selection
  const kinds = byKind(selected)
  const cameBack = selected.filter((payout) => payout.cameBack)
  const tooMany = kinds.find(({ kind, rows }) => rows.length > MAX_BATCH[kind])
  function create() {
    if (selected.length === 0 || creation.isPending || tooMany) return
    creation.mutate(
      kinds.map(({ rows }) => ({
        paymentTypes: [...new Set(rows.map(({ paymentType }) => paymentType))],
        payoutIds: rows.map(({ id }) => id),
      })),
    )
  }
  useKeys({ createBatch: create })
  if (selected.length === 0) return null
  return (
    <section
      aria-label="Selection"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t bg-surface px-4 py-2.5"
    >
      <p role="status" className="flex flex-wrap items-baseline gap-x-3">
        <Money amount={sumOf(selected.map(({ amount }) => amount))} size="lg" />
        <span className="figures text-sm">
          {counted(selected.length)}
          <span className="@2xl:@max-4xl:hidden text-soft">
            {' '}
            · {kinds.map(({ kind, rows }) => `${fileWords[kind]} ${rows.length}`).join(', ')}
          </span>
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:*:flex-1">
        {cameBack.length > 0 && (
          <>
            <p className="font-medium text-caution text-sm">{cameBackWarning(cameBack.length)}.</p>
            <Button variant="secondary" size="sm" onClick={() => leaveOut(cameBack)}>
              Leave out {cameBack.length.toLocaleString('en-US')}
            </Button>
          </>
        )}
        {tooMany && (
          <p className="font-medium text-caution text-sm">
            A batch has at most {MAX_BATCH[tooMany.kind].toLocaleString('en-US')} payouts.
          </p>
        )}
        <Button variant="quiet" size="sm" onClick={clear}>
          Clear
        </Button>
        <KeyButton
          action="createBatch"
          size="sm"
          icon={<Layers />}
          loading={creation.isPending}
          aria-disabled={tooMany !== undefined || undefined}
          onClick={create}
        >
          {kinds.length > 1 ? `Create ${kinds.length} batches` : `Create batch of ${selected.length}`}
        </KeyButton>
      </div>
    </section>
  )
}

function byKind(rows: readonly WirePayout[]) {
  return fileKinds
    .map((kind) => ({ kind, rows: rows.filter(({ paymentType }) => fileKindOf(paymentType) === kind) }))
    .filter(({ rows }) => rows.length > 0)
}

/** The sum of amounts like "93.00". */
function sumOf(amounts: readonly string[]): string {
  return toDecimal(amounts.reduce((sum, amount) => sum + (parseDollars(amount) ?? 0), 0))
}
