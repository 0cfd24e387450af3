import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { HistoryEntry } from '#contract/submissions.ts'
import { read } from '#web/wire/read.ts'
import { useNow } from '#web/wire/use-now.ts'
import { translate } from '#web/words/words.ts'
import { ago } from '#words/ago.ts'
import { Banner } from '../../facts/Banner.tsx'
import { useStaff } from '../../shell/use-staff.ts'
import { isConflict, type MoveMutation, useOwnVersion } from './use-move.ts'

interface ConcurrentMoveNoticeProps {
  submission: StaffSubmission
  move: ConcurrentMove
}

/** Tells the reviewer that someone else has moved the open submission: "ana approved it 12 seconds ago". */
export function ConcurrentMoveNotice({ submission, move: { entry, refusal } }: ConcurrentMoveNoticeProps) {
  const { admin } = useStaff()
  const now = useNow(30_000)
  const title = entry ? whoMoved(entry, submission.user.username, admin.username, now) : refusal
  return (
    title && (
      <Banner tone="caution" title={title} urgent>
        The submission below is up to date.
      </Banner>
    )
  )
}

function whoMoved({ move, by, at }: HistoryEntry, seller: string, admin: string, now: number): string {
  const t = translate()
  const who = by === seller ? t('moves.who.seller') : by === admin ? 'You, in another window,' : by
  return t(`moves.${move}`, { who, when: ago(t, now - Date.parse(at)) })
}

export type ConcurrentMove = ReturnType<typeof useConcurrentMove>

/** Detects a move by someone else, from a push or because your own move was refused. */
export function useConcurrentMove({ id, version, status }: StaffSubmission, move: MoveMutation) {
  const [opened] = useState(version)
  const changed = version > Math.max(opened, useOwnVersion(id))
  const history = useQuery({ ...read(routes.staffHistory, { params: { id } }), enabled: changed })
  const last = history.data?.findLast(({ from, to }) => from !== to)
  return {
    /** Someone else moved the submission while it was open. */
    changed,
    // A history fetched before the move does not have the entry yet.
    entry: changed && last?.to === status ? last : undefined,
    /** The server's message if your own move came too late. */
    refusal: isConflict(move.error) ? move.error?.message : undefined,
  }
}
