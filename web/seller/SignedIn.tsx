import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { refresh } from '../api/read.ts'
import { sessionKey } from '../api/session.ts'
import { SupportChat } from './support/SupportChat.tsx'
import { useSellerLive } from './use-seller-live.ts'

/** What a signed-in seller has on every page: news without a reload, and the chat with support. */
export function SignedIn({ user }: { user: User }) {
  const connected = useSellerLive(user)
  useSessionCheck(connected)
  return <SupportChat connected={connected} />
}

/** Long enough for a sign-out of this very page, which closes the channel as well, to have led elsewhere. */
const CHECK_AFTER = 1000

/** The server closes the channel of a session that has ended: then the screens ask to sign in again. */
function useSessionCheck(connected: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!connected) return
    return () => {
      setTimeout(() => {
        if (client.getQueryData(sessionKey)) void refresh(client, routes.me)
      }, CHECK_AFTER)
    }
  }, [connected, client])
}
