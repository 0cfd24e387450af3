import type { StaffSubmission, WireRisk } from '#contract/staff-submissions.ts'
import { blocksMove } from '#domain/risk.ts'
import type { Move } from '#domain/submission.ts'

/** The risk that keeps the submission from being moved like this, if there is one. */
export function openRisk({ risks }: Pick<StaffSubmission, 'risks'>, move: Move): WireRisk | undefined {
  return risks?.find(({ code, acknowledged }) => !acknowledged && blocksMove(code, move))
}
