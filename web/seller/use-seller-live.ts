import { useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/accounts.ts'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import { useLive } from '#web/wire/live.ts'
import { refresh } from '#web/wire/read.ts'
import { announceReply } from './support/announce-reply.ts'

const cardRoutes = [routes.myTransactions, routes.myEarnings, routes.mySubmissions, routes.myHistory]
const chatRoutes = [routes.myChatMessages, routes.myUnread]

/** What happens to the seller's cards elsewhere, and what support writes, shows here without a reload. @returns whether it does */
export function useSellerLive(user: User): boolean {
  const client = useQueryClient()
  const status = useLive({
    side: 'seller',
    onMessage: (message) => {
      // Another seller may have signed in from another tab of this browser.
      if (whose(message) !== user.id) return
      if (message.type !== 'NEW_CHAT_MESSAGE') return void refresh(client, ...cardRoutes)
      void refresh(client, ...chatRoutes)
      announceReply(message)
    },
    onOpen: () => void refresh(client, ...cardRoutes, ...chatRoutes),
  })
  return status === 'live'
}

function whose(message: LiveMessage): string | undefined {
  if (message.type === 'NEW_SUBMISSION') return message.submission.userId
  return 'userId' in message ? message.userId : undefined
}
