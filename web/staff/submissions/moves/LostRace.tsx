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
import { isLostRace, type MoveMutation } from './use-move.ts'

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
      The submission below is up to date.
    </Banner>
  )
}

export interface Meanwhile {
  /** The version shown came about by somebody else while the submission was open. */
  changed: boolean
  /** What they did. */
  entry: HistoryEntry | undefined
  /** The server's words to a move of ours that came too late. */
  refusal: string | undefined
}

/** Notices that somebody else moved the open submission: pushed, or found out by a move that came too late. */
export function useMeanwhile({ id, version, status }: StaffSubmission, move: MoveMutation): Meanwhile {
  const [opened] = useState(version)
  const changed = !move.isPending && version > Math.max(opened, move.madeVersion)
  const history = useQuery({ ...read(routes.staffHistory, { params: { id } }), enabled: changed })
  const last = history.data?.at(-1)
  return {
    changed,
    // A history that was fetched before doesn't tell of it yet.
    entry: changed && last?.to === status ? last : undefined,
    refusal: isLostRace(move.error) ? move.error?.message : undefined,
  }
}
