import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { HistoryEntry } from '#contract/submissions.ts'
import { read } from '#web/wire/read.ts'
import { isLostRace, type MoveMutation } from './use-move.ts'

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
