import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { Time } from '#web/kit/Time.tsx'
import { Banner } from './Banner.tsx'

/** What a reviewer has to know before deciding. */
export function Warnings({ submission }: { submission: StaffSubmission }) {
  const status = staffStatus(submission.status)
  return (
    <>
      {submission.statusReason && (
        <Banner
          tone={statusRules[status].final ? 'negative' : 'caution'}
          title={status === 'under_review' ? 'Asked the seller' : 'Reason the seller sees'}
        >
          {submission.statusReason}
        </Banner>
      )}
      {submission.secretsErasedAt !== null && (
        <Banner tone="neutral" title="Secrets erased">
          On <Time at={submission.secretsErasedAt} /> the numbers, the PIN, the payout account and the photos
          were erased. What is left here is masked.
        </Banner>
      )}
      {submission.unlistedBrand && (
        <Banner tone="caution" title="Unlisted brand">
          “{submission.brand}” is not in the catalogue; it was quoted at the terms for unlisted brands.
        </Banner>
      )}
      {submission.routingNumberSuspect && (
        <Banner tone="caution" title="Suspect routing number">
          Its check digit does not fit. Make sure of it before you pay.
        </Banner>
      )}
    </>
  )
}
