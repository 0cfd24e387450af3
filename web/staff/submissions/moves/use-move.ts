import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { type Move, type Status, statusRules } from '#domain/submission.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { keepSubmission } from '../use-updates.ts'

interface Decision {
  move: Move
  /** The reason, or the question to the seller. */
  reason?: string
}

export type MoveMutation = ReturnType<typeof useMove>

/**
 * Moves the submission as it was seen: its version goes along, so that of two reviewers one wins and the other
 * is told. `onMoved` is called when it is still the one shown; it answers whether another one takes its place.
 */
export function useMove(submission: StaffSubmission, onMoved: (to: Status) => boolean) {
  const client = useQueryClient()
  const { id, version, brandName } = submission
  const [leaving, setLeaving] = useState(false)
  const [madeVersion, setMadeVersion] = useState(0)

  const mutation = useMutation({
    mutationFn: ({ move, reason }: Decision) =>
      call(routes.moveSubmission, {
        params: { id },
        body: { status: move.to, version, ...(reason && { reason }) },
      }),
    onSuccess: (moved) => {
      toast({
        title: 'Status Updated',
        description: `${brandName} is ${statusRules[moved.status].label} now.`,
      })
      setMadeVersion(moved.version)
      keepSubmission(client, moved)
      void refresh(client, routes.staffHistory)
    },
    onError: (error) => {
      toast({ title: 'Update Failed', description: whyNot(error), variant: 'destructive' })
      if (isLostRace(error)) {
        void refresh(client, routes.staffSubmission, routes.staffSubmissions, routes.staffHistory)
      }
    },
  })

  function decide(decision: Decision, onDone?: (error?: Error) => void) {
    mutation.mutate(decision, {
      onSuccess: () => {
        onDone?.()
        setLeaving(onMoved(decision.move.to))
      },
      onError: (error) => onDone?.(error),
    })
  }
  return {
    decide,
    error: mutation.error,
    isPending: mutation.isPending,
    /** Nothing can be decided now: a move is on its way, or this submission is. */
    isBusy: mutation.isPending || leaving,
    pending: mutation.variables?.move,
    /** The version that our own last move has made; whatever is above it was somebody else's doing. */
    madeVersion,
  }
}

/** Somebody else moved it first. */
export function isLostRace(error: Error | null | undefined): boolean {
  return error instanceof ApiError && error.status === 409
}

/** A lost race is told as what it is; of other failures the server's own words are added where it has some. */
function whyNot(error: Error): string {
  const failed = 'Failed to update gift card status.'
  if (!(error instanceof ApiError) || error.status >= 500) return failed
  return isLostRace(error) ? error.message : `${failed} ${error.message}`
}
