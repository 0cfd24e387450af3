import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Route } from '#contract/route.ts'
import { refresh } from './read.ts'

/** Long enough for a sign-out of this very page, which closes the channel as well, to have led elsewhere. */
const CHECK_AFTER = 1000

/**
 * The server closes the live channel of a session that has ended: then the screens ask to sign in again, and are not
 * only offline.
 * @param connected whether the channel is open
 * @param me what says who is signed in
 */
export function useSessionCheck(connected: boolean, me: Route): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!connected) return
    return () => {
      setTimeout(() => {
        if (client.getQueryData([me.path])) void refresh(client, me)
      }, CHECK_AFTER)
    }
  }, [connected, client, me])
}
