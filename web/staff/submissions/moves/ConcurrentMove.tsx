import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { HistoryEntry } from '#contract/submissions.ts'
import { ago } from '#domain/ago.ts'
import { findMove, staffStatus } from '#domain/submission.ts'
import { read } from '#web/wire/read.ts'
import { useNow } from '../../RelativeTime.tsx'
import { useStaff } from '../../use-staff.ts'
import { Banner } from '../detail/Banner.tsx'
import { isConflict, type MoveMutation } from './use-move.ts'

interface ConcurrentMoveNoticeProps {
  submission: StaffSubmission
  move: ConcurrentMove
}

/** Tells the reviewer that someone else has moved the open submission. */
export function ConcurrentMoveNotice({ submission, move: { entry, refusal } }: ConcurrentMoveNoticeProps) {
  if (entry) return <WhoMovedIt entry={entry} seller={submission.user.username} />
  return refusal && <UpToDate title={refusal} />
}

/** "ana approved it 12 seconds ago" */
function WhoMovedIt({ entry: { from, to, by, at }, seller }: { entry: HistoryEntry; seller: string }) {
  const { admin } = useStaff()
  const now = useNow(30_000)
  const bySeller = by === seller
  const did = from && findMove(staffStatus(from), staffStatus(to), bySeller ? 'seller' : 'staff')?.pastTense
  const who = bySeller ? 'The seller' : by === admin.username ? 'You, in another window,' : by
  return <UpToDate title={`${who} ${did ?? 'changed it'} ${ago(now - Date.parse(at))}`} />
}

function UpToDate({ title }: { title: string }) {
  return (
    <Banner tone="caution" title={title} urgent>
      The submission below is up to date.
    </Banner>
  )
}

export interface ConcurrentMove {
  /** Someone else moved the submission while it was open. */
  changed: boolean
  entry: HistoryEntry | undefined
  /** The server's message if your own move came too late. */
  refusal: string | undefined
}

/** Detects a move by someone else, from a push or because your own move was refused. */
export function useConcurrentMove(
  { id, version, status }: StaffSubmission,
  move: MoveMutation,
): ConcurrentMove {
  const [opened] = useState(version)
  const changed = !move.isPending && version > Math.max(opened, move.ownVersion)
  const history = useQuery({ ...read(routes.staffHistory, { params: { id } }), enabled: changed })
  const last = history.data?.at(-1)
  return {
    changed,
    // A history fetched before the move does not have the entry yet.
    entry: changed && last?.to === status ? last : undefined,
    refusal: isConflict(move.error) ? move.error?.message : undefined,
  }
}
