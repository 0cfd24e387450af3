import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/submissions.ts'
import { type Move, statusRules } from '#domain/submission.ts'
import { call } from '../../../api/call.ts'
import { ApiError, messageOf } from '../../../api/errors.ts'
import { read, refresh } from '../../../api/read.ts'
import { toast } from '../../../ui/toast.ts'
import { noticeSignedOut } from '../../session.ts'

interface Decision {
  move: Move
  /** The reason, or the question to the seller. */
  reason?: string
}

export type MoveMutation = ReturnType<typeof useMove>

/**
 * Moves the submission as it was seen: its version goes along, so that of two reviewers one wins and the other
 * is told. `onFinal` is called when that ended the work on it and it is still the one shown; it answers whether
 * another one takes its place.
 */
export function useMove(submission: StaffSubmission, onFinal: () => boolean) {
  const client = useQueryClient()
  const { id, version, brandName } = submission
  const [leaving, setLeaving] = useState(false)
  const key = read(routes.staffSubmission, { params: { id } }).queryKey

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
      client.setQueryData(key, moved)
      void refresh(client, routes.staffSubmissions, routes.staffHistory)
    },
    onError: (error) => {
      noticeSignedOut(client, error)
      toast({
        title: 'Update Failed',
        description: messageOf(error, 'Failed to update gift card status.'),
        variant: 'destructive',
      })
      if (isLostRace(error))
        void refresh(client, routes.staffSubmission, routes.staffSubmissions, routes.staffHistory)
    },
  })

  function decide(decision: Decision, onDone?: (error?: Error) => void) {
    mutation.mutate(decision, {
      onSuccess: () => {
        onDone?.()
        if (statusRules[decision.move.to].final) setLeaving(onFinal())
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
  }
}

/** Somebody else moved it first. */
export function isLostRace(error: Error | null | undefined): boolean {
  return error instanceof ApiError && error.status === 409
}
