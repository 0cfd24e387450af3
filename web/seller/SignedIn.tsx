import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import { toast } from '#web/kit/toast.ts'
import { useLive, useSessionCheck } from '#web/wire/live.ts'
import { refresh } from '#web/wire/read.ts'
import { changeLocale, translate } from '#web/words/words.ts'
import { cutPreview } from '../chat/cut-preview.ts'
import { SupportChat } from './support/SupportChat.tsx'

/** On every screen of a signed-in seller: live updates and the support chat. */
export function SignedIn({ user }: { user: User }) {
  const [chatOpen, setChatOpen] = useState(false)
  const connected = useSellerLive(user, chatOpen)
  useEffect(() => void changeLocale(user.locale).catch(() => undefined), [user.locale])
  useSessionCheck(connected, routes.me)
  return <SupportChat connected={connected} open={chatOpen} onOpenChange={setChatOpen} />
}

const cardRoutes = [routes.myTransactions, routes.myEarnings, routes.mySubmissions, routes.myHistory]
const chatRoutes = [routes.myChatMessages, routes.myUnread]

/** Refreshes what is shown when a card changes or support writes. Returns whether the live channel is open. */
function useSellerLive(user: User, chatOpen: boolean): boolean {
  const client = useQueryClient()
  const status = useLive({
    side: 'seller',
    onMessage: (message) => {
      // Another seller may have signed in from another tab of this browser.
      if (whose(message) !== user.id) return
      if (message.type !== 'NEW_CHAT_MESSAGE') return void refresh(client, ...cardRoutes)
      void refresh(client, ...chatRoutes)
      if (!chatOpen) {
        toast({ title: translate()('site.supportChat.newMessage'), description: cutPreview(message.message) })
      }
    },
    onOpen: () => void refresh(client, ...cardRoutes, ...chatRoutes),
  })
  return status === 'live'
}

function whose(message: LiveMessage): string | undefined {
  if (message.type === 'NEW_SUBMISSION') return message.submission.userId
  return 'userId' in message ? message.userId : undefined
}
