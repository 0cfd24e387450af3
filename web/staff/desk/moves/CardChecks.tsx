import { CircleHelp, Scale, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { inDollars } from '#domain/money.ts'
import { RelativeTime } from '../../shell/RelativeTime.tsx'

interface CardChecksProps {
  card: StaffSubmission
  /** The reason why the card cannot be approved, which is said elsewhere. */
  blocker?: string | undefined
}

/** The risks and the balance of a card, for the dialogs that approve it. */
export function CardChecks({ card, blocker }: CardChecksProps) {
  const { balanceCheck: check, risks } = card
  return (
    <>
      {risks
        ?.filter(({ message }) => message !== blocker)
        .map(({ code, message }) => (
          <CheckLine key={code} icon={<TriangleAlert className="text-caution" />}>
            <span className="text-caution">{message}</span>
          </CheckLine>
        ))}
      {check && (
        <CheckLine icon={<Scale className="text-soft" />}>
          Balance {inDollars(check.amount)}, checked <RelativeTime at={check.at} />
        </CheckLine>
      )}
      {!check && !card.balanceCheckNeeded && (
        <CheckLine icon={<CircleHelp className="text-soft" />}>Balance not checked</CheckLine>
      )}
    </>
  )
}

export function CheckLine({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-start gap-1.5 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
      {icon}
      <span className="wrap-anywhere min-w-0">{children}</span>
    </p>
  )
}
