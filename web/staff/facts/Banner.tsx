import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { failureOf } from '#domain/failure.ts'
import { inDollars } from '#domain/money.ts'
import { may } from '#domain/roles.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { TextLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Time } from '#web/kit/Time.tsx'
import { toneClass } from '#web/kit/tone.ts'
import { pathTo } from '#web/words/paths.ts'
import { moveLabel } from '../shell/keys/move-label.ts'
import { useStaff } from '../shell/use-staff.ts'
import { findReason } from './SellerReason.tsx'

interface BannerProps {
  tone: 'caution' | 'negative' | 'neutral'
  title: string
  children?: ReactNode
  action?: ReactNode
  /** Screen readers announce it at once. */
  urgent?: boolean
}

export function Banner({ tone, title, children, action, urgent }: BannerProps) {
  const Icon = tone === 'caution' ? TriangleAlert : Info
  return (
    <div
      role={urgent ? 'alert' : undefined}
      className={cx(
        'flex flex-wrap items-center justify-end gap-2.5 rounded-md px-3 py-2 text-sm',
        toneClass[tone],
      )}
    >
      <div className="flex min-w-60 flex-1 gap-2.5">
        <Icon className="mt-0.5 size-4 shrink-0" />
        <p className="min-w-0 flex-1 whitespace-pre-line wrap-anywhere">
          <strong className="mr-2 font-semibold">{title}</strong>
          {children && <span>{children}</span>}
        </p>
      </div>
      {action}
    </div>
  )
}

/** What a reviewer must know before deciding. */
export function Warnings({ submission }: { submission: StaffSubmission }) {
  const status = staffStatus(submission.status)
  return (
    <>
      {submission.offer && (
        <Banner
          tone="caution"
          title={`Offered ${inDollars(submission.offer.amount)} instead of ${inDollars(submission.quotedPrice)}`}
        >
          until <Time at={submission.offer.expiresAt} as="dateTime" />. {submission.offer.reason}
        </Banner>
      )}
      <VoidedPayout submission={submission} />
      {submission.statusReason && !submission.offer && submission.payout?.state !== 'void' && (
        <Banner
          tone={statusRules[status].final ? 'negative' : 'caution'}
          title={status === 'under_review' ? 'Question to the seller' : 'Reason the seller sees'}
        >
          {submission.statusReason}
        </Banner>
      )}
      {submission.secretsErasedAt !== null && (
        <Banner tone="neutral" title="Secrets erased">
          The numbers, the PIN, the payout account and the photos were erased on{' '}
          <Time at={submission.secretsErasedAt} />. Only masked values are left.
        </Banner>
      )}
      {submission.onHold && (
        <Banner tone="caution" title="Legal hold: not paid, not erased">
          Nothing is paid until a manager lifts the legal hold. Its reason is below. You can still decide.
        </Banner>
      )}
      {submission.user.state === 'held' && (
        <Banner tone="caution" title="Seller on hold">
          You can review and approve, but not pay. A manager can release the seller.
        </Banner>
      )}
      {submission.unlistedBrand && !submission.risks?.some(({ code }) => code === 'unlisted_brand') && (
        <Banner tone="caution" title="Unlisted brand">
          “{submission.brand}” is not in the catalog. It was quoted at the terms for unlisted brands.
        </Banner>
      )}
      {submission.routingNumberSuspect && (
        <Banner tone="caution" title="Suspect routing number">
          The check digit is wrong. Verify the number before you pay.
        </Banner>
      )}
    </>
  )
}

/** Why the payout of a failed card was voided, and what comes next. */
function VoidedPayout({ submission: { payout, statusReason } }: { submission: StaffSubmission }) {
  const { admin } = useStaff()
  if (payout?.state !== 'void') return null
  const reasonCode = findReason('fail', statusReason ?? '') ?? null
  const failure = failureOf({ status: 'failed', reasonCode })
  return (
    <Banner
      tone={failure === 'account' ? 'caution' : 'negative'}
      title={`Payout ${payout.number} was voided`}
      action={
        may(admin.role, 'see_payouts') && (
          <TextLink to={pathTo('adminPayouts', { view: 'all', id: payout.id })}>Open the payout</TextLink>
        )
      }
    >
      {statusReason && `The seller reads: ${statusReason}\n`}
      {failure === 'account' && 'The seller is asked for another account. '}
      {failure === 'written' && 'The seller is asked to contact support. '}
      To pay it after all, choose {moveLabel({ from: 'failed', to: 'processing' })}.
    </Banner>
  )
}
