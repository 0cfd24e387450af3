import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { Claim, StaffSubmission } from '#contract/staff-submissions.ts'
import { mayMoveFrom } from '#domain/queue.ts'
import { staffStatus } from '#domain/submission.ts'
import { addressOf, call } from '#web/wire/call.ts'
import { ApiError, toastFailure } from '#web/wire/errors.ts'
import { fetchAgain, read } from '#web/wire/read.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { holderAt, keepClaim } from '../shell/claim.ts'
import { useStaff } from '../shell/use-staff.ts'

/** A claim lasts a minute, so two of these calls may get lost. */
const RENEW_MS = 20_000
/** Long enough that holding J does not claim each submission on the way. */
const CLAIM_AFTER_MS = 250

export type ClaimControl = ReturnType<typeof useClaim>

/**
 * Claims the open submission, renews the claim, and releases it on leaving.
 * @param options.isNeeded whether there is anything to do
 * @param options.isUsed whether the reviewer has begun, so that it is claimed
 */
export function useClaim(
  { id, status, claimedBy }: Pick<StaffSubmission, 'id' | 'status' | 'claimedBy'>,
  { isNeeded = true, isUsed = true } = {},
) {
  const client = useQueryClient()
  const { admin } = useStaff()
  const holder = useHolder(claimedBy)
  const other = holder?.id === admin.id ? undefined : holder
  const [held, setHeld] = useState(false)
  const sent = useRef<Promise<unknown>>(undefined)

  const { mutate, isPending, variables } = useMutation({
    mutationFn: (takeOver: boolean) => {
      const answer = call(routes.claimSubmission, { params: { id }, body: { takeOver } })
      sent.current = answer
      return answer
    },
    onSuccess: (claim) => {
      setHeld(true)
      keepClaim(client, id, claim)
    },
    onError: (error, takeOver) => {
      // A colleague has claimed it, and the push about that has not arrived.
      if (error instanceof ApiError && error.code === 'claimed') {
        void fetchAgain(client, { queryKey: read(routes.staffSubmission, { params: { id } }).queryKey })
      }
      if (takeOver) toastFailure('Take Over Failed', 'The submission could not be taken over.')(error)
    },
  })

  const isTaken = other !== undefined
  const mayTake = isNeeded && mayMoveFrom(admin.role, staffStatus(status))
  const mayClaim = mayTake && isUsed
  const claim = useEffectEvent(() => mutate(false))
  useEffect(() => {
    if (isTaken || !mayClaim) return
    const first = setTimeout(() => claim(), CLAIM_AFTER_MS)
    const beat = setInterval(() => claim(), RENEW_MS)
    return () => {
      clearTimeout(first)
      clearInterval(beat)
    }
  }, [isTaken, mayClaim])

  useEffect(() => {
    if (!mayClaim) return
    const leave = () => release(id)
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      // After the claim call, which would otherwise claim it again.
      void sent.current?.then(leave, () => undefined)
    }
  }, [id, mayClaim])

  return {
    /** The claim of a colleague; undefined if the submission is yours or unclaimed. */
    other,
    /** Whether that colleague took it over from you. */
    lost: held && isTaken,
    /** Undefined if the role cannot move it. */
    takeOver: mayTake ? () => mutate(true) : undefined,
    isPending: isPending && variables === true,
  }
}

/** `keepalive` sends it even while the tab closes. */
function release(id: string): void {
  const { method } = routes.releaseSubmission
  void fetch(addressOf(routes.releaseSubmission, { id }), {
    method,
    credentials: 'same-origin',
    keepalive: true,
  }).catch(() => undefined)
}

/** The claim until it expires. */
function useHolder(claim: Claim | null): Claim | undefined {
  const [now, setNow] = useState(serverNow)
  const until = claim?.until
  useEffect(() => {
    if (!until || now > Date.parse(until)) return
    // If an answer sets the server clock back before then, this waits again.
    const timer = setTimeout(() => setNow(serverNow()), Math.max(0, Date.parse(until) - serverNow()) + 50)
    return () => clearTimeout(timer)
  }, [until, now])
  return holderAt(claim, now)
}
