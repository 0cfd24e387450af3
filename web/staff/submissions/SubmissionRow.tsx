import { CopyCheck, Store } from 'lucide-react'
import type { StaffSubmission } from '#contract/submissions.ts'
import { monogram } from '#domain/brands.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { Link } from '../../router/index.ts'
import { cx } from '../../ui/cx.ts'
import { Money } from '../../ui/Money.tsx'
import { Monogram } from '../../ui/Monogram.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { RelativeTime } from '../time/RelativeTime.tsx'

interface SubmissionRowProps {
  submission: StaffSubmission
  open: boolean
  to: string
  now: number
}

export function SubmissionRow({ submission, open, to, now }: SubmissionRowProps) {
  const status = staffStatus(submission.status)
  return (
    <li>
      <Link
        to={to}
        replace
        aria-current={open ? 'true' : undefined}
        className={cx(
          'flex items-center gap-3 border-l-4 py-2.5 pr-4 pl-3 focus-visible:-outline-offset-2',
          open ? 'border-accent bg-accent-quiet' : 'border-transparent hover:bg-sunken',
        )}
      >
        <Monogram letters={monogram(submission.brandName)} size="sm" />
        <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
          <span className="flex items-baseline justify-between gap-3">
            <span className="truncate font-semibold">{submission.brandName}</span>
            <Money amount={submission.quote} className="font-semibold" />
          </span>
          <span className="flex items-center justify-between gap-2">
            <span className="flex min-w-0 items-center gap-1.5 text-soft text-sm">
              <span className="truncate">{submission.user.username}</span>
              <span aria-hidden="true">·</span>
              <RelativeTime at={submission.createdAt} now={now} short />
              <Flags submission={submission} />
            </span>
            <StatusBadge status={status}>{statusRules[status].label}</StatusBadge>
          </span>
        </span>
      </Link>
    </li>
  )
}

function Flags({ submission: { possibleDuplicate, unlistedBrand } }: { submission: StaffSubmission }) {
  return (
    <>
      {possibleDuplicate && (
        <span title="Possible duplicate" className="shrink-0 text-caution">
          <CopyCheck aria-hidden="true" className="size-4" />
          <span className="sr-only">Possible duplicate</span>
        </span>
      )}
      {unlistedBrand && (
        <span title="Unlisted brand" className="shrink-0 text-caution">
          <Store aria-hidden="true" className="size-4" />
          <span className="sr-only">Unlisted brand</span>
        </span>
      )}
    </>
  )
}
