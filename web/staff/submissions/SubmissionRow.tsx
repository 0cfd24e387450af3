import { CopyCheck, Store } from 'lucide-react'
import { Link } from 'react-router'
import type { StaffSubmission } from '#contract/submissions.ts'
import { monogram } from '#domain/brands.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { cx } from '../../ui/cx.ts'
import { Money } from '../../ui/Money.tsx'
import { Monogram } from '../../ui/Monogram.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { RelativeTime } from './RelativeTime.tsx'

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
        preventScrollReset
        aria-current={open ? 'true' : undefined}
        className={cx(
          'grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 border-l-4 py-3 pr-4 pl-3 focus-visible:-outline-offset-2',
          open ? 'border-accent bg-accent-quiet' : 'border-transparent hover:bg-sunken',
        )}
      >
        <span className="row-span-2">
          <Monogram letters={monogram(submission.brandName)} size="sm" />
        </span>
        <span className="truncate font-semibold">{submission.brandName}</span>
        <Money amount={submission.quote} className="text-right font-semibold" />
        <span className="flex min-w-0 items-center gap-1.5 text-soft text-sm">
          <span className="truncate">{submission.user.username}</span>
          <span aria-hidden="true">·</span>
          <RelativeTime at={submission.createdAt} now={now} short />
          <Flags submission={submission} />
        </span>
        <span className="justify-self-end">
          <StatusBadge status={status}>{statusRules[status].label}</StatusBadge>
        </span>
      </Link>
    </li>
  )
}

function Flags({ submission: { possibleDuplicate, unlistedBrand } }: { submission: StaffSubmission }) {
  return (
    <>
      {possibleDuplicate && (
        <span title="Possible duplicate" className="text-caution">
          <CopyCheck aria-hidden="true" className="size-4" />
          <span className="sr-only">Possible duplicate</span>
        </span>
      )}
      {unlistedBrand && (
        <span title="Unlisted brand" className="text-caution">
          <Store aria-hidden="true" className="size-4" />
          <span className="sr-only">Unlisted brand</span>
        </span>
      )}
    </>
  )
}
