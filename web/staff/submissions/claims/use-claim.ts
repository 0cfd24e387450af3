import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { Claim, StaffSubmission } from '#contract/staff-submissions.ts'
import { toast } from '#web/kit/toast.ts'
import { addressOf, call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { fetchAgain, read } from '#web/wire/read.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { useStaff } from '../../use-staff.ts'
import { holderAt, keepClaim } from './claim.ts'

/** A claim lasts a minute, so that two of these calls may get lost. */
const BEAT = 20_000
/** Whoever runs through the list with a key held down claims nothing on the way. */
const PAUSE = 250

export interface ClaimControl {
  /** The colleague who has the submission; undefined when it is ours or nobody's. */
  other: Claim | undefined
  /** It was ours until that colleague took it over. */
  lost: boolean
  takeOver: () => void
  isPending: boolean
}

/** Claims the submission while it is open, goes on claiming, and gives it back when it is left. */
export function useClaim({ id, claimedBy }: Pick<StaffSubmission, 'id' | 'claimedBy'>): ClaimControl {
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
      // Somebody has it whom the channel didn't tell of.
      if (error instanceof ApiError && error.code === 'claimed') {
        void fetchAgain(client, { queryKey: read(routes.staffSubmission, { params: { id } }).queryKey })
      }
      if (takeOver) toastFailure(error)
    },
  })

  const isTaken = other !== undefined
  const claim = useEffectEvent(() => mutate(false))
  useEffect(() => {
    if (isTaken) return
    const first = setTimeout(() => claim(), PAUSE)
    const beat = setInterval(() => claim(), BEAT)
    return () => {
      clearTimeout(first)
      clearInterval(beat)
    }
  }, [isTaken])

  useEffect(() => {
    const leave = () => release(id)
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      // In this order, or the claim that is still on its way would stay.
      void sent.current?.then(leave, () => undefined)
    }
  }, [id])

  return {
    other,
    lost: held && isTaken,
    takeOver: () => mutate(true),
    isPending: isPending && variables === true,
  }
}

/** Reaches the server even from a tab that is being closed. */
function release(id: string): void {
  const { method } = routes.releaseSubmission
  void fetch(addressOf(routes.releaseSubmission, { id }), {
    method,
    credentials: 'same-origin',
    keepalive: true,
  }).catch(() => undefined)
}

/** Whoever has it, until the claim runs out. */
function useHolder(claim: Claim | null): Claim | undefined {
  const [now, setNow] = useState(serverNow)
  const until = claim?.until
  useEffect(() => {
    if (!until || now > Date.parse(until)) return
    // An answer may set the clock back while this waits. Then it waits again.
    const timer = setTimeout(() => setNow(serverNow()), Math.max(0, Date.parse(until) - serverNow()) + 50)
    return () => clearTimeout(timer)
  }, [until, now])
  return holderAt(claim, now)
}

function toastFailure(error: Error): void {
  toast({
    title: 'Take Over Failed',
    description: messageOf(error, 'The submission could not be taken over.'),
    variant: 'destructive',
  })
}
