import {
  AlarmClock,
  Clock,
  CopyCheck,
  Gavel,
  Layers,
  MessageSquareReply,
  Store,
  UserRoundPen,
} from 'lucide-react'
import { memo } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { paymentTypes } from '#domain/payment-methods.ts'
import { waitsForStaff } from '#domain/queue.ts'
import { staffStatus } from '#domain/submission.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { Link } from '#web/kit/router/index.ts'
import { StaffStatus } from '../facts/badges.tsx'
import { PayoutBadge } from '../facts/PayoutBadge.tsx'
import type { Density } from '../list/density.tsx'
import { RelativeTime } from '../shell/RelativeTime.tsx'
import type { ViewControl } from './use-view.ts'

/** Every row has two lines, each truncated. */
export const rowRem: Readonly<Record<Density, number>> = { comfortable: 4.25, compact: 3 }

interface SubmissionRowProps {
  submission: StaffSubmission
  open: boolean
  /** Adds no history entry, because the list stays in view. */
  replace: boolean
  linkTo: ViewControl['linkTo']
  /** The colleague who has claimed it. */
  colleague: string | undefined
  /** Whether somebody assigned it to them. */
  isAssigned: boolean
  /** The list has several statuses. */
  showStatus: boolean
  /** The server's time. */
  now: number
}

export const SubmissionRow = memo(
  ({ submission, open, replace, linkTo, colleague, isAssigned, showStatus, now }: SubmissionRowProps) => {
    const isHeldUp = waitsForSeller(submission)
    return (
      <Link
        to={linkTo({ id: submission.id })}
        replace={replace}
        aria-current={open ? 'true' : undefined}
        className={cx(
          'flex h-full items-center gap-3 border-l-4 pr-4 pl-3 focus-visible:-outline-offset-2',
          open ? 'border-accent bg-accent-quiet' : 'border-transparent hover:bg-sunken',
        )}
      >
        <BrandTile name={submission.brandName} size="sm" />
        <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
          <span className="flex items-baseline gap-2">
            <NameAndTags submission={submission} />
            {colleague && <Colleague name={colleague} isAssigned={isAssigned} />}
            <Money amount={submission.offer?.amount ?? submission.quote} className="ml-auto font-semibold" />
          </span>
          <span className="flex items-center justify-between gap-2">
            <span className="flex min-w-0 items-center gap-1.5 text-soft text-sm">
              <span className="truncate">{submission.user.username}</span>
              <span aria-hidden="true">·</span>
              {waitsForStaff(staffStatus(submission.status)) &&
              !isHeldUp &&
              now - Date.parse(submission.createdAt) >= HOUR_MS ? (
                <WaitingTime at={submission.createdAt} now={now} short={showStatus} />
              ) : (
                <RelativeTime at={submission.createdAt} short />
              )}
              {submission.possibleDuplicate && (
                <span title="Possible duplicate" className="shrink-0 text-caution">
                  <CopyCheck />
                  <span className="sr-only">Possible duplicate</span>
                </span>
              )}
              {submission.sale && submission.sale.count > 1 && (
                <PlaceInSale {...submission.sale} short={showStatus} />
              )}
            </span>
            {(showStatus || isHeldUp) && (
              <span className="shrink-0 min-[1100px]:max-[1400px]:[&_svg]:hidden">
                {showStatus || submission.needsAccount ? (
                  <StaffStatus {...submission} />
                ) : (
                  <DuePayout submission={submission} />
                )}
              </span>
            )}
          </span>
        </span>
      </Link>
    )
  },
)

/** Whether its payout is due but cannot leave before the seller, or a changed account, is ready. */
function waitsForSeller({ payout, needsAccount, user }: StaffSubmission): boolean {
  if (needsAccount) return true
  return payout?.state === 'due' && (payout.waitsUntil !== null || user.mustConfirmEmail)
}

function DuePayout({ submission: { payout, paymentType, user } }: Pick<SubmissionRowProps, 'submission'>) {
  if (!payout) return null
  const { state, waitsUntil } = payout
  const type = paymentTypes.find((known) => known === paymentType) ?? 'other'
  return (
    <PayoutBadge
      payout={{ state, paymentType: type }}
      waitsUntil={waitsUntil}
      mustConfirmEmail={user.mustConfirmEmail}
      short
    />
  )
}

/** The name and the icons of its tags on one line. Words that do not fit are cut off with the second line. */
function NameAndTags({ submission }: Pick<SubmissionRowProps, 'submission'>) {
  const { brandName, unlistedBrand, answered, appealed } = submission
  const tags = [
    unlistedBrand && { word: 'Unlisted', Icon: Store, tone: 'text-caution' },
    answered &&
      (appealed
        ? { word: 'Appeal', Icon: Gavel, tone: 'text-accent' }
        : { word: 'Answered', Icon: MessageSquareReply, tone: 'text-accent' }),
  ].filter((tag) => tag !== false)
  return (
    <span className="flex h-6 min-w-0 flex-wrap items-center gap-x-1 overflow-hidden font-semibold leading-6">
      <span className="flex min-w-0 max-w-full items-center gap-1.5">
        <span className="truncate">{brandName}</span>
        {tags.map(({ word, Icon, tone }) => (
          <span key={word} title={word} className={cx('shrink-0 leading-none', tone)}>
            <Icon className="size-3.5" />
          </span>
        ))}
      </span>
      {tags.map(({ word, tone }) => (
        <span key={word} className={cx('text-xs leading-6', tone)}>
          {word}
        </span>
      ))}
    </span>
  )
}

const HOUR_MS = 3_600_000

interface WaitingTimeProps {
  at: string
  now: number
  /** Makes room for the status of the row. */
  short: boolean
}

/** Marks a submission that has waited for staff for more than an hour, and more strongly after three. */
function WaitingTime({ at, now, short }: WaitingTimeProps) {
  const isLate = now - Date.parse(at) >= 3 * HOUR_MS
  const word = isLate ? 'Late' : 'Waits'
  return (
    <span
      className={cx(
        'flex shrink-0 items-center gap-1 font-medium',
        isLate ? 'text-negative' : 'text-caution',
      )}
    >
      {isLate ? <AlarmClock className="size-3.5" /> : <Clock className="size-3.5" />}
      <span className={short ? 'sr-only' : undefined}>{word}</span> <RelativeTime at={at} short />
    </span>
  )
}

type PlaceInSaleProps = NonNullable<StaffSubmission['sale']> & { short: boolean }

/** @param short makes room for the name and the status where the list is narrow */
function PlaceInSale({ position, count, short }: PlaceInSaleProps) {
  const text = `${position} of ${count} in this sale`
  return (
    <span
      title={text}
      className={cx(
        'figures flex shrink-0 items-center gap-1',
        short && 'max-sm:hidden min-[1100px]:max-[1400px]:hidden',
      )}
    >
      <Layers className="size-3.5" />
      <span className="sr-only">{text}</span>
      <span aria-hidden="true">
        {position}/{count}
      </span>
    </span>
  )
}

function Colleague({ name, isAssigned }: { name: string; isAssigned: boolean }) {
  return (
    <span
      title={`${name} is working on it`}
      className="flex max-w-24 shrink-0 items-center gap-1 self-center rounded-chip bg-caution-quiet px-2 py-0.5 font-semibold text-caution text-xs"
    >
      <UserRoundPen className="size-3.5 shrink-0" />
      <span className="sr-only">
        {isAssigned ? 'Assigned to' : 'Being reviewed by'} {name}
      </span>
      <span aria-hidden="true" className="truncate min-[1100px]:hidden">
        {name}
      </span>
    </span>
  )
}
