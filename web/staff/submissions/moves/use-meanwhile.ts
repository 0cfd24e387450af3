import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { HistoryEntry, StaffSubmission } from '#contract/submissions.ts'
import { ago } from '#domain/ago.ts'
import { findMove, staffStatus } from '#domain/submission.ts'
import { read } from '../../../api/read.ts'
import { useStaff } from '../../StaffArea.tsx'
import { useNow } from '../../time/use-now.ts'
import { isLostRace, type MoveMutation } from './use-move.ts'

export interface Meanwhile {
  /** The version shown came about by somebody else while the submission was open. */
  changed: boolean
  /** Who did what, and when: "ana approved it 12 seconds ago". */
  story: string | undefined
}

/** Notices that somebody else moved the submission that is open, pushed or found out by a move that came too late. */
export function useMeanwhile(submission: StaffSubmission, move: MoveMutation): Meanwhile {
  const { admin } = useStaff()
  const [opened] = useState(submission.version)
  const changed = !move.isPending && submission.version > Math.max(opened, move.madeVersion)
  const history = useQuery({
    ...read(routes.staffHistory, { params: { id: submission.id } }),
    enabled: changed,
  })
  const now = useNow(5000)
  const last = history.data?.at(-1)
  const told =
    last && staffStatus(last.to) === submission.status && tell(last, submission, admin.username, now)
  if (changed && told) return { changed, story: told }
  return { changed, story: isLostRace(move.error) ? move.error?.message : undefined }
}

function tell(
  { from, to, by, at }: HistoryEntry,
  { user }: StaffSubmission,
  me: string,
  now: number,
): string {
  const bySeller = by === user.username
  const deed = from && findMove(staffStatus(from), staffStatus(to), bySeller ? 'seller' : 'staff')?.deed
  const who = by === me ? 'You' : bySeller ? 'The seller' : by
  return `${who} ${deed ?? 'changed it'} ${ago(now - Date.parse(at))}`
}
