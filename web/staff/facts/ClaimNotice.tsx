import type { ReactNode } from 'react'
import { useNow } from '#web/wire/use-now.ts'
import { useWords } from '#web/words/words.ts'
import { ago } from '#words/ago.ts'
import { KeyButton } from '../shell/keys/KeyHint.tsx'
import { Banner } from './Banner.tsx'
import type { ClaimControl } from './use-claim.ts'

/** Names the colleague who has claimed the open submission, and offers to take it over. */
export function ClaimNotice({
  claim: { other, lost, takeOver, isPending },
  isDecided = false,
  children = lost ? 'Take it back before you decide.' : 'Take it over before you decide.',
}: ClaimNoticeProps) {
  const t = useWords()
  const now = useNow(30_000)
  if (!other) return null
  const when = ago(t, now - Date.parse(other.since))
  return (
    <Banner
      tone="caution"
      urgent
      title={
        other.assignedBy
          ? `Assigned to ${other.username} by ${other.assignedBy} ${when}`
          : lost
            ? `${other.username} took it over from you ${when}`
            : isDecided
              ? `${other.username} has this card open`
              : `${other.username} is working on this submission, opened ${when}`
      }
      action={
        takeOver && (
          <KeyButton action="takeOver" size="sm" variant="secondary" loading={isPending} onClick={takeOver}>
            {lost ? 'Take back' : 'Take over'}
          </KeyButton>
        )
      }
    >
      {children}
    </Banner>
  )
}

interface ClaimNoticeProps {
  claim: ClaimControl
  /** Whether the submission was approved, so that the colleague may only be reading it. */
  isDecided?: boolean
  /** What the claim means here. */
  children?: ReactNode
}
