import { BadgeCheck } from 'lucide-react'
import type { StaffSubmission } from '#contract/submissions.ts'
import { TextLink } from '../../../ui/Button.tsx'
import { Time } from '../../../ui/Time.tsx'
import type { ViewControl } from '../view.ts'
import { Fact, Facts } from './Facts.tsx'

interface SellerFactsProps {
  submission: StaffSubmission
  linkTo: ViewControl['linkTo']
}

export function SellerFacts({ submission: { id, user }, linkTo }: SellerFactsProps) {
  return (
    <Facts
      title="Seller"
      action={
        <TextLink to={linkTo({ q: user.username, status: undefined, brand: undefined })} className="text-sm">
          All submissions
        </TextLink>
      }
    >
      <Fact name="Username">
        <span className="font-medium">{user.username}</span>
        {user.verified && (
          <span className="ml-2 inline-flex items-center gap-1 text-positive text-sm">
            <BadgeCheck aria-hidden="true" className="size-4" /> Verified
          </span>
        )}
      </Fact>
      <Fact name="Email">{user.email}</Fact>
      <Fact name="Phone">{user.phoneNumber ?? 'Not given'}</Fact>
      <Fact name="Member since">
        <Time at={user.createdAt} />
      </Fact>
      <Fact name="Submission ID">
        <span className="font-mono text-sm">{id}</span>
      </Fact>
    </Facts>
  )
}
