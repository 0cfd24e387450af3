import type { ReactNode } from 'react'
import type { StaffSubmission } from '#contract/submissions.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { TextLink } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { ViewControl } from '../view.ts'

interface WarningsProps {
  submission: StaffSubmission
  linkTo: ViewControl['linkTo']
}

/** What a reviewer has to know before deciding. */
export function Warnings({ submission, linkTo }: WarningsProps) {
  const status = staffStatus(submission.status)
  // The mask ends in what may be shown of the number, which the search finds.
  const lastFour = submission.cardNumber.match(/\w+$/)?.[0]
  return (
    <>
      {submission.statusReason && (
        <Notice
          tone={statusRules[status].final ? 'negative' : 'caution'}
          title={status === 'under_review' ? 'Asked the seller' : 'Reason the seller sees'}
        >
          <p className="whitespace-pre-line">{submission.statusReason}</p>
        </Notice>
      )}
      {submission.possibleDuplicate && (
        <Warning title="Possible duplicate">
          Another submission has the same card number.{' '}
          {lastFour && (
            <TextLink to={linkTo({ q: lastFour, status: undefined, brand: submission.brand })}>
              Show all ending in {lastFour}
            </TextLink>
          )}
        </Warning>
      )}
      {submission.unlistedBrand && (
        <Warning title="Unlisted brand">
          “{submission.brand}” is not in the catalogue; it was quoted at the terms for unlisted brands.
        </Warning>
      )}
      {submission.routingNumberSuspect && (
        <Warning title="Suspect routing number">
          Its check digit does not fit. Make sure of it before you pay.
        </Warning>
      )}
    </>
  )
}

function Warning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Notice tone="caution" title={title}>
      {children}
    </Notice>
  )
}
