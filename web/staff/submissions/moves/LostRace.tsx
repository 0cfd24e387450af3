import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { HistoryEntry } from '#contract/submissions.ts'
import { ago } from '#domain/ago.ts'
import { findMove, staffStatus } from '#domain/submission.ts'
import { useStaff } from '../../StaffArea.tsx'
import { useNow } from '../../time/use-now.ts'
import { Banner } from '../detail/Banner.tsx'
import type { Meanwhile } from './use-meanwhile.ts'

interface LostRaceProps {
  submission: StaffSubmission
  meanwhile: Meanwhile
}

/** A move of somebody else's that crossed the work on this submission, told as what it is. */
export function LostRace({ submission, meanwhile: { entry, refusal } }: LostRaceProps) {
  if (entry) return <Story entry={entry} seller={submission.user.username} />
  return refusal && <UpToDate title={refusal} />
}

/** Who did what, and when: "ana approved it 12 seconds ago". */
function Story({ entry: { from, to, by, at }, seller }: { entry: HistoryEntry; seller: string }) {
  const { admin } = useStaff()
  const now = useNow(30_000)
  const bySeller = by === seller
  const deed = from && findMove(staffStatus(from), staffStatus(to), bySeller ? 'seller' : 'staff')?.pastTense
  const who = bySeller ? 'The seller' : by === admin.username ? 'You, in another window,' : by
  return <UpToDate title={`${who} ${deed ?? 'changed it'} ${ago(now - Date.parse(at))}`} />
}

function UpToDate({ title }: { title: string }) {
  return (
    <Banner tone="caution" title={title} urgent>
      What you see is up to date again.
    </Banner>
  )
}
