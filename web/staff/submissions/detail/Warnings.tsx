import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StaffSubmission } from '#contract/submissions.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { cx } from '../../../ui/cx.ts'
import { toneClass } from '../../../ui/StatusBadge.tsx'

/** What a reviewer has to know before deciding; each in one line, for the evidence needs the room. */
export function Warnings({ submission }: { submission: StaffSubmission }) {
  const status = staffStatus(submission.status)
  return (
    <>
      {submission.statusReason && (
        <Warning
          tone={statusRules[status].final ? 'negative' : 'caution'}
          title={status === 'under_review' ? 'Asked the seller' : 'Reason the seller sees'}
        >
          {submission.statusReason}
        </Warning>
      )}
      {submission.unlistedBrand && (
        <Warning tone="caution" title="Unlisted brand">
          “{submission.brand}” is not in the catalogue; it was quoted at the terms for unlisted brands.
        </Warning>
      )}
      {submission.routingNumberSuspect && (
        <Warning tone="caution" title="Suspect routing number">
          Its check digit does not fit. Make sure of it before you pay.
        </Warning>
      )}
    </>
  )
}

interface WarningProps {
  tone: 'caution' | 'negative'
  title: string
  children: ReactNode
}

function Warning({ tone, title, children }: WarningProps) {
  const Icon = tone === 'caution' ? TriangleAlert : Info
  return (
    <div className={cx('flex gap-2.5 rounded-md px-3 py-2 text-sm', toneClass[tone])}>
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0 whitespace-pre-line wrap-anywhere">
        <strong className="font-semibold">{title}</strong>
        <span aria-hidden="true"> · </span>
        <span>{children}</span>
      </p>
    </div>
  )
}
