import { Ban, MessageSquare, TriangleAlert } from 'lucide-react'
import type { WirePayout } from '#contract/payouts.ts'
import { failureOf } from '#domain/failure.ts'
import type { PayoutState } from '#domain/payout.ts'
import { may } from '#domain/roles.ts'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { Masked, onOneLine } from '#web/kit/masked.tsx'
import { Link } from '#web/kit/router/index.ts'
import { Time } from '#web/kit/Time.tsx'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { PayoutBadge } from '../facts/PayoutBadge.tsx'
import { counted, isReady, lastChange, leadsPayment, noteOn, voidText } from '../facts/payout-words.ts'
import type { Density } from '../list/density.tsx'
import { SelectBox } from '../list/SelectBox.tsx'
import { RelativeTime } from '../shell/RelativeTime.tsx'
import { useStaff } from '../shell/use-staff.ts'

/** Every row has two lines, each truncated. */
export const rowRem: Readonly<Record<Density, number>> = { comfortable: 3.75, compact: 2.75 }
/** Two more lines for why the money came back. */
export const rowRemWithReason: typeof rowRem = { comfortable: 5.75, compact: 5.75 }

const PAYMENT_REM = 2.25
/** One more line above the first payout of a payment for several. */
export const paymentRem = (payout: WirePayout) => (payout.entry && leadsPayment(payout) ? PAYMENT_REM : 0)

interface PayoutRowProps {
  payout: WirePayout
  open: boolean
  /** The state that the list is about. */
  usual: PayoutState | undefined
  /** The list is that of its batch. */
  inBatch: boolean
  /** Why the money came back is below the other lines, where the columns are too narrow for it. */
  reasonBelow: boolean
  to: string
  /** Adds no history entry, because the list stays in view. */
  replace: boolean
  /** Whether it is selected. Undefined where payouts cannot be selected. */
  selected: boolean | undefined
  onSelect: (id: string, options: { through: boolean }) => void
}

export function PayoutRow(props: PayoutRowProps) {
  const { payout, inBatch } = props
  if (!inBatch || !payout.entry) return <OnePayout {...props} />
  return (
    <div className="flex h-full flex-col">
      {leadsPayment(payout) && <PaymentHead username={payout.username} entry={payout.entry} />}
      <div className="ml-4 min-h-0 flex-1 border-line border-l-2">
        <OnePayout {...props} />
      </div>
    </div>
  )
}

/** Above the payouts that leave as one payment: the line that the file has for them. */
function PaymentHead({ username, entry }: PaymentHeadProps) {
  return (
    <p
      style={{ height: `${PAYMENT_REM}rem` }}
      className="figures flex shrink-0 items-center justify-between gap-3 bg-sunken px-4 text-sm"
    >
      <span className="truncate">
        <span className="font-semibold">Payment {entry.number}</span>{' '}
        <span className="text-soft">
          · {counted(entry.count)} to {username}
        </span>
      </span>
      <Money amount={entry.total} className="font-semibold" />
    </p>
  )
}

interface PaymentHeadProps {
  username: string
  entry: NonNullable<WirePayout['entry']>
}

function OnePayout(props: PayoutRowProps) {
  const { payout, open, usual, inBatch, reasonBelow, to, replace, selected, onSelect } = props
  const t = useWords()
  const mayChat = may(useStaff().admin.role, 'chat')
  const note = noteOn(payout)
  const hasState = showsState(payout, usual)
  const isBlocked = payout.problem !== null
  return (
    <div
      className={cx(
        'flex h-full items-stretch border-l-4',
        open ? 'border-accent bg-accent-quiet' : 'border-transparent hover:bg-sunken',
      )}
    >
      {selected !== undefined && (
        <SelectBox
          label={`Select payout ${payout.number} of ${payout.username}`}
          checked={selected}
          refusal={isReady(payout) ? undefined : `Cannot be in a batch${note ? `: ${note.name}` : ''}`}
          onChange={(options) => onSelect(payout.id, options)}
          className="w-11 shrink-0"
        />
      )}
      <Link
        to={to}
        replace={replace}
        aria-current={open ? 'true' : undefined}
        onKeyDown={(event) => {
          if (event.key !== ' ' || selected === undefined) return
          event.preventDefault()
          if (isReady(payout)) onSelect(payout.id, { through: event.shiftKey })
        }}
        className={cx(
          'grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 pr-4 text-sm leading-snug focus-visible:-outline-offset-2',
          '@2xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)_12rem]',
          '@4xl:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)_minmax(0,2.4fr)_10rem]',
          selected === undefined ? 'pl-3' : 'pl-2',
        )}
      >
        <span className="grid min-w-0">
          <span className={cx('truncate text-base @2xl:text-sm', isBlocked ? 'text-soft' : 'font-semibold')}>
            {payout.username}
          </span>
          {/* On phones, a problem continues below the amount. */}
          <span className={cx('text-soft', note ? 'whitespace-nowrap @2xl:truncate' : 'truncate')}>
            <span className="flex @2xl:hidden">
              {note ? (
                <NoteName note={note} />
              ) : (
                <>
                  <span className="min-w-0 shrink-9999 truncate">
                    {t(`payments.type.${payout.paymentType}`)}
                  </span>
                  <span className="min-w-0 truncate whitespace-pre">
                    {' · '}
                    <Masked text={shortAccount(payout)} />
                  </span>
                </>
              )}
            </span>
            <span className="hidden @2xl:inline">
              #{payout.number} · {payout.brandName}
            </span>
          </span>
        </span>
        <span className="hidden min-w-0 @2xl:grid">
          <span className="truncate">
            {t(`payments.type.${payout.paymentType}`)} ·{' '}
            {(payout.state === 'returned' || failureIn(payout) === 'account') && (
              <>
                <Ban aria-hidden="true" className="mr-1 inline align-[-0.125em] text-negative" />
                <span className="sr-only">did not work: </span>
              </>
            )}
            <span className="font-mono">{shortAccount(payout)}</span>
          </span>
          <span className="truncate text-soft">
            {note && hasState ? (
              <>
                <span className="hidden @4xl:inline">{payout.accountName}</span>
                <span className="@4xl:hidden">
                  <NoteName note={note} />
                </span>
              </>
            ) : !reasonBelow && payout.returnReason ? (
              <>
                <span className="hidden @4xl:inline">{payout.accountName}</span>
                <span className="@4xl:hidden">{payout.returnReason}</span>
              </>
            ) : (
              payout.accountName
            )}
          </span>
        </span>
        <span className="hidden min-w-0 @4xl:grid">
          <State {...{ payout, usual, inBatch }} />
        </span>
        <span className="grid justify-items-end">
          <Money
            amount={payout.amount}
            className={cx('text-base @2xl:text-sm', isBlocked ? 'text-soft' : 'font-semibold')}
          />
          <span className="text-soft @4xl:hidden">
            {note && !hasState ? (
              <>
                <span className="hidden @2xl:inline">
                  <NoteName note={note} />
                </span>
                <span className="@2xl:hidden">&nbsp;</span>
              </>
            ) : payout.state === usual ? (
              <LastChange payout={payout} isShort />
            ) : (
              <PayoutBadge payout={payout} />
            )}
          </span>
          <span className="hidden text-right text-soft @4xl:inline">
            <LastChange payout={payout} />
          </span>
        </span>
        {reasonBelow && (
          <span className="col-span-full line-clamp-2 text-negative wrap-anywhere">
            {payout.returnReason}
          </span>
        )}
      </Link>
      {mayChat && (
        <Link
          to={pathTo('adminChat', { user: payout.sellerId })}
          aria-label={`Message ${payout.username}`}
          title={`Message ${payout.username}`}
          className="hidden w-11 shrink-0 place-items-center text-soft hover:text-accent focus-visible:-outline-offset-2 @2xl:grid"
        >
          <MessageSquare className="size-4" />
        </Link>
      )}
    </div>
  )
}

function NoteName({ note: { name, isCalm } }: { note: NonNullable<ReturnType<typeof noteOn>> }) {
  if (isCalm) return <span className="whitespace-nowrap font-semibold">{name}</span>
  return (
    <span className="whitespace-nowrap font-semibold text-caution">
      <TriangleAlert className="mr-1 inline align-[-0.125em]" />
      {name}
    </span>
  )
}

const failureIn = ({ voidReason, voided }: WirePayout) =>
  voided && failureOf({ status: voidReason ?? '', reasonCode: voided.reasonCode })

/** "•••• 6789". For a bank account, only its number. */
function shortAccount({ account }: WirePayout): string {
  return onOneLine(account.split('Account: ').at(-1) ?? account)
}

/** Whether its state stands beside its note. A note says enough about a due payout. */
const showsState = ({ state }: WirePayout, usual: PayoutRowProps['usual']): boolean =>
  state !== 'due' && state !== usual

/** What staff should know of it now: a problem, a reason, a batch, or nothing for a payout that is ready. */
function State({ payout, usual, inBatch }: Pick<PayoutRowProps, 'payout' | 'usual' | 'inBatch'>) {
  const note = noteOn(payout)
  if (note && showsState(payout, usual)) {
    return (
      <span className="grid min-w-0">
        <StateName {...{ payout, inBatch }} />
        <span className="truncate text-soft">
          <NoteName note={note} />
          {note.brief && `: ${note.brief}`}
        </span>
      </span>
    )
  }
  if (note) {
    const { whatToDo, brief } = note
    return (
      // One paragraph, so that the advice has both lines.
      <span className="line-clamp-2 text-pretty text-soft" title={whatToDo}>
        <NoteName note={note} />
        {brief ? `: ${brief}` : ' '}
        {payout.problem === 'account_new' ? (
          <>
            Ready <Time at={payout.batchableAt} as="dateTime" />
          </>
        ) : (
          !brief && whatToDo
        )}
      </span>
    )
  }
  // A reason is a sentence: without the badge, which says the same in each row, it has both lines.
  if (payout.state === usual) {
    const reason = payout.returnReason ?? voidText(payout)
    return (
      reason && (
        <span className="line-clamp-2 wrap-anywhere" title={reason}>
          {reason}
        </span>
      )
    )
  }
  return <StateName {...{ payout, inBatch }} />
}

function StateName({ payout, inBatch }: Pick<PayoutRowProps, 'payout' | 'inBatch'>) {
  return (
    <span
      className={cx(
        'min-w-0',
        // A reason is a sentence, so it gets its own line.
        payout.state === 'returned' || payout.voided?.reason
          ? 'grid justify-items-start'
          : 'flex items-center gap-2',
      )}
    >
      <PayoutBadge payout={payout} />
      <span className="max-w-full truncate text-soft">{about(payout, inBatch)}</span>
    </span>
  )
}

function about(payout: WirePayout, inBatch: boolean): string {
  const { state, reference, batchNumber, returnReason, byHand } = payout
  if (state === 'returned') return returnReason ?? ''
  if (state === 'void') return voidText(payout) ?? ''
  if (reference) return reference
  if (batchNumber !== null && !inBatch) return `Batch ${batchNumber}`
  return byHand ? 'By hand' : ''
}

/** @param isShort leaves out on phones what happened, which the list says */
function LastChange({ payout, isShort = false }: Pick<PayoutRowProps, 'payout'> & { isShort?: boolean }) {
  // When it was due does not matter anymore.
  if (payout.state === 'void') {
    return (
      payout.voided && (
        <>
          voided <RelativeTime at={payout.voided.at} />
        </>
      )
    )
  }
  if (payout.problem === 'account_new') {
    return (
      <>
        ready <Time at={payout.batchableAt} as="day" />
      </>
    )
  }
  const [does, at] = lastChange(payout)
  return (
    <>
      <span className={cx(isShort && 'max-sm:sr-only')}>{does} </span>
      <RelativeTime at={at} />
    </>
  )
}
