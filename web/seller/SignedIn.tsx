import type { User } from '#contract/accounts.ts'
import { useSessionCheck } from '#web/wire/session.ts'
import { SupportChat } from './support/SupportChat.tsx'
import { useSellerLive } from './use-seller-live.ts'

/** What a signed-in seller has on every page: news without a reload, and the chat with support. */
export function SignedIn({ user }: { user: User }) {
  const connected = useSellerLive(user)
  useSessionCheck(connected)
  return <SupportChat connected={connected} />
}
