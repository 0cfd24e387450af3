import { CopyCheck, MessageSquareReply, UserRoundPen } from 'lucide-react'
import { memo } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { Link } from '#web/kit/router/index.ts'
import { RelativeTime } from '../RelativeTime.tsx'
import { UnlistedBadge } from '../UnlistedBadge.tsx'
import type { ViewControl } from './use-view.ts'

/** All rows have the same height, so the virtual list need not measure them. */
export const ROW_REM = 4.25

interface SubmissionRowProps {
  submission: StaffSubmission
  open: boolean
  linkTo: ViewControl['linkTo']
  now: number
  /** The colleague who has claimed it. */
  colleague: string | undefined
  /** From 1 */
  position: number
  total: number
  /** Distance from the top of the list, in pixels */
  start: number
}

export const SubmissionRow = memo((props: SubmissionRowProps) => {
  const { submission, open, linkTo, now, colleague, position, total, start } = props
  const status = staffStatus(submission.status)
  return (
    <li
      aria-posinset={position}
      aria-setsize={total}
      className="absolute inset-x-0 border-line border-b"
      style={{ top: start, height: `${ROW_REM}rem` }}
    >
      <Link
        to={linkTo({ id: submission.id })}
        replace
        aria-current={open ? 'true' : undefined}
        className={cx(
          'flex h-full items-center gap-3 border-l-4 pr-4 pl-3 focus-visible:-outline-offset-2',
          open ? 'border-accent bg-accent-quiet' : 'border-transparent hover:bg-sunken',
        )}
      >
        <BrandTile name={submission.brandName} size="sm" />
        <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
          <span className="flex items-baseline gap-2">
            <span className="truncate font-semibold">{submission.brandName}</span>
            {submission.unlistedBrand && <UnlistedBadge />}
            {submission.answered && (
              <span className="flex shrink-0 items-center gap-1 self-center font-semibold text-accent text-xs">
                <MessageSquareReply aria-hidden="true" className="size-4" />
                Answered
              </span>
            )}
            {colleague && <Colleague name={colleague} />}
            <Money amount={submission.quote} className="ml-auto font-semibold" />
          </span>
          <span className="flex items-center justify-between gap-2">
            <span className="flex min-w-0 items-center gap-1.5 text-soft text-sm">
              <span className="truncate">{submission.user.username}</span>
              <span aria-hidden="true">·</span>
              <RelativeTime at={submission.createdAt} now={now} short />
              {submission.possibleDuplicate && (
                <span title="Possible duplicate" className="shrink-0 text-caution">
                  <CopyCheck aria-hidden="true" className="size-4" />
                  <span className="sr-only">Possible duplicate</span>
                </span>
              )}
            </span>
            <StatusBadge status={status}>{statusRules[status].label}</StatusBadge>
          </span>
        </span>
      </Link>
    </li>
  )
})

function Colleague({ name }: { name: string }) {
  return (
    <span
      title={`${name} is working on it`}
      className="flex min-w-0 max-w-28 items-center gap-1 self-center rounded-full bg-caution-quiet px-2 py-0.5 font-semibold text-caution text-xs"
    >
      <UserRoundPen aria-hidden="true" className="size-3.5 shrink-0" />
      <span className="sr-only">Being reviewed by {name}</span>
      <span aria-hidden="true" className="truncate">
        {name}
      </span>
    </span>
  )
}
