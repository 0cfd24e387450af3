import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { routes } from '#contract/routes.ts'
import { MAX_PASSED } from '#domain/queue.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { keepClaim } from '../shell/claim.ts'
import { toQuery, type ViewControl } from './use-view.ts'

/**
 * Claims the next submission of the view and opens it. Passes each submission only once, so that pressing Next again does not
 * return to one that was left undecided, until all have been passed.
 */
export function useNext({ view: { id, ...filters }, change }: ViewControl, openId: string | undefined) {
  const client = useQueryClient()
  const passed = useRef<string[]>([])
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const current = openId ? [openId] : []
      const ask = (except: string[]) =>
        call(routes.claimNext, { body: { ...toQuery(filters, serverNow()), except } })
      const others = [...new Set([...passed.current, ...current])].slice(-MAX_PASSED)
      const found = await ask(others)
      passed.current = found ? others : []
      return found ?? (others.length > current.length ? ask(current) : null)
    },
    onSuccess: (found) => {
      if (!found) {
        toast({ title: 'Nothing Left', description: 'Every other submission here is claimed or decided.' })
        return
      }
      keepClaim(client, found.id, found.claimedBy)
      client.setQueryData(read(routes.staffSubmission, { params: { id: found.id } }).queryKey, found)
      change({ id: found.id })
    },
    onError: toastFailure('Next Failed', 'The next submission could not be claimed.'),
  })
  return { claimNext: () => mutate(), isPending }
}
