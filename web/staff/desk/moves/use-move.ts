import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { commitsToPay } from '#domain/risk.ts'
import { type Move, type Status, staffStatus } from '#domain/submission.ts'
import { createStore, useStore } from '#web/kit/store.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError } from '#web/wire/errors.ts'
import { translate } from '#web/words/words.ts'
import { isReferenceUsed, useReferenceWarning } from '../../facts/use-reference-warning.ts'
import { keepSubmission, refreshSubmissions } from '../../shell/submission-queries.ts'
import { offerUndo } from './UndoBar.tsx'

interface Decision {
  move: Move
  /** The reason for the seller, or the question to the seller */
  reason?: string | undefined
  /** The new price of an offer in dollars, as typed. */
  amount?: string | undefined
  /** The confirmation number of a payout that was sent by hand. */
  reference?: string | undefined
  checkReference?: boolean
}

export type MoveMutation = ReturnType<typeof useMove>

/**
 * Moves the submission with the version the reviewer saw, so that only the first of two reviewers succeeds.
 * @param onMoved called if the submission is still open; returns whether another one opens next
 * @param onRefused called with its id if the move was refused after another one has opened
 */
export function useMove(
  submission: StaffSubmission,
  onMoved: (to: Status) => boolean,
  onRefused: (id: string) => void,
) {
  const client = useQueryClient()
  const { id, brandName, user, risks } = submission
  const [leaving, setLeaving] = useState(false)
  // A double-click comes before the buttons are disabled.
  const isSent = useRef(false)
  const hasLeft = useRef(false)

  const send = useReferenceWarning((decision: Decision) => sendMove(submission, decision))
  const mutation = useMutation({
    mutationFn: async (decision: Decision) => {
      const sentAt = Date.now()
      const moved = await send(decision)
      if (decision.move.undoable) offerUndo([moved], decision.move, sentAt)
      return moved
    },
    onSuccess: (moved, { move }) => {
      const isAccountDead = risks?.some(({ code }) => code === 'dead_account')
      const asks = commitsToPay(move) && move.to === 'processing' && isAccountDead
      toast({
        title: 'Status Updated',
        description: `${brandName} is now ${translate()(`staffStatuses.${staffStatus(moved.status)}`)}.${asks ? ' The seller is asked for another account.' : ''}`,
      })
      keepSubmission(client, moved)
    },
    onError: (error) => {
      // The field shows it.
      if (isReferenceUsed(error)) return
      const text = failureText(error)
      const description = hasLeft.current ? `${brandName} from ${user.username}: ${text}` : text
      toast({ title: 'Update Failed', description, variant: 'destructive' })
      if (isConflict(error)) void refreshSubmissions(client)
      if (hasLeft.current) onRefused(id)
    },
  })

  function decide(decision: Decision, onDone?: (error?: Error) => void) {
    if (isSent.current) return
    isSent.current = true
    mutation.mutate(decision, {
      onSuccess: () => {
        onDone?.()
        if (hasLeft.current) return
        isSent.current = onMoved(decision.move.to)
        setLeaving(isSent.current)
      },
      onError: (error) => {
        // The refusal may come before the next submission shows.
        isSent.current = false
        hasLeft.current = false
        setLeaving(false)
        onDone?.(error)
      },
    })
  }

  /** Opens the next submission without waiting for the answer. If the server refuses, this one opens again. */
  function decideAtOnce(move: Move) {
    if (isSent.current) return
    decide({ move })
    hasLeft.current = onMoved(move.to)
    setLeaving(hasLeft.current)
  }

  return {
    decide,
    decideAtOnce,
    error: mutation.error,
    isPending: mutation.isPending,
    /** A move is being sent, or the next submission is about to open. */
    isBusy: mutation.isPending || leaving,
    pending: mutation.variables?.move,
  }
}

/** Moves a submission with the version that the reviewer saw. */
export async function sendMove(
  { id, version }: StaffSubmission,
  { move, reason, amount, reference, checkReference }: Decision,
): Promise<StaffSubmission> {
  const before = sent.get(id) ?? 0
  // The push of the move may come before the answer.
  keepOwnVersion(id, Infinity)
  try {
    const moved = await call(routes.moveSubmission, {
      params: { id },
      body: {
        status: move.to,
        version,
        ...(reason && { reason }),
        ...(amount !== undefined && { amount }),
        ...(reference && { reference, checkReference }),
        ...(move.undoable && { undoable: true }),
      },
    })
    keepOwnVersion(id, moved.version)
    return moved
  } catch (error) {
    keepOwnVersion(id, before)
    throw error
  }
}

let sent: ReadonlyMap<string, number> = new Map()
const ownVersions = createStore(
  () => sent,
  (next) => {
    sent = next
  },
)

function keepOwnVersion(id: string, version: number): void {
  ownVersions.set(new Map(sent).set(id, version))
}

/** The version after the last move from this window; infinite while one is sent. A higher one comes from someone else. */
export function useOwnVersion(id: string): number {
  return useStore(ownVersions).get(id) ?? 0
}

/** Whether someone else moved the submission first. */
export function isConflict(error: Error | null | undefined): boolean {
  return error instanceof ApiError && (error.code === 'status_changed' || error.code === 'illegal_move')
}

export function failureText(error: unknown): string {
  const failed = 'Failed to update gift card status.'
  if (!(error instanceof ApiError) || error.status >= 500) return failed
  return error.status === 403 || error.status === 409 ? error.message : `${failed} ${error.message}`
}
