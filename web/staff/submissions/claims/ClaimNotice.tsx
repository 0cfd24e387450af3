import type { Claim } from '#contract/staff-submissions.ts'
import { ago } from '#domain/ago.ts'
import { Button } from '#web/kit/Button.tsx'
import { KeyHint, useKeyShortcut } from '../../keys/KeyHint.tsx'
import { useNow } from '../../RelativeTime.tsx'
import { Banner } from '../detail/Banner.tsx'
import type { ClaimControl } from './use-claim.ts'

/** Names the colleague who has claimed the open submission, and offers to take it over. */
export function ClaimNotice({ claim }: { claim: ClaimControl }) {
  return claim.other && <HeldBy other={claim.other} claim={claim} />
}

function HeldBy({ other, claim: { lost, takeOver, isPending } }: { other: Claim; claim: ClaimControl }) {
  const now = useNow(30_000)
  const when = ago(now - Date.parse(other.since))
  return (
    <Banner
      tone="caution"
      urgent
      title={
        lost
          ? `${other.username} took it over from you ${when}`
          : `${other.username} is working on this submission, opened ${when}`
      }
      action={
        <Button
          size="sm"
          variant="secondary"
          loading={isPending}
          onClick={takeOver}
          aria-keyshortcuts={useKeyShortcut('takeOver')}
        >
          {lost ? 'Take back' : 'Take over'} <KeyHint action="takeOver" />
        </Button>
      }
    >
      If you both decide, only the first decision counts.
    </Banner>
  )
}
