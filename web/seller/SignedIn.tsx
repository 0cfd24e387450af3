import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { useLocation } from '#web/kit/router/index.ts'
import { useAnswering, useLive, useSessionCheck } from '#web/wire/live.ts'
import { refresh } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { changeLocale, useWords } from '#web/words/words.ts'
import { refreshCards } from './refresh-cards.ts'
import { SupportChat } from './support/SupportChat.tsx'

const NeedsYou = lazyComponent(() => import('./home/NeedsYou.tsx').then((module) => module.NeedsYou), {
  silent: true,
})

/** On every screen of a signed-in seller: live updates, the support chat, and what makes the site an app to install. */
export function SignedIn({ user }: { user: User }) {
  const [chatOpen, setChatOpen] = useState(false)
  const [isAnswering, noteAnswering] = useAnswering()
  const connected = useSellerLive(user, chatOpen, noteAnswering)
  useEffect(() => void changeLocale(user.locale).catch(() => undefined), [user.locale])
  useSessionCheck(connected, routes.me)
  useEffect(() => {
    const timer = setTimeout(() => void installWorker().catch(() => undefined), WORKER_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  const { locale } = useWords()
  const { pathname } = useLocation()
  return (
    <>
      <link rel="manifest" href={`/manifest.${locale}.webmanifest`} />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      {pathname === paths.home && (
        <Suspense>
          <NeedsYou />
        </Suspense>
      )}
      <SupportChat
        connected={connected}
        isAnswering={isAnswering}
        open={chatOpen}
        onOpenChange={setChatOpen}
      />
    </>
  )
}

/** The service worker waits for what the screen itself needs. */
const WORKER_AFTER_MS = 3000

async function installWorker(): Promise<void> {
  if (!navigator.serviceWorker) return
  await (await import('./push/service-worker.ts')).registerServiceWorker()
}

const chatRoutes = [routes.myChat, routes.myChatMessages, routes.myUnread]

/** Refreshes what is shown when a card changes or support writes. Returns whether the live channel is open. */
function useSellerLive(user: User, chatOpen: boolean, onAnswering: (seconds: number) => void): boolean {
  const client = useQueryClient()
  const status = useLive({
    side: 'seller',
    onMessage: (message) => {
      // Another seller may have signed in from another tab of this browser.
      if (whose(message) !== user.id) return
      if (message.type === 'ANSWERING') return onAnswering(message.seconds)
      if (message.type === 'REVEALED') return void refresh(client, routes.myReveals)
      const isReply = message.type === 'NEW_CHAT_MESSAGE'
      if (isReply) onAnswering(0)
      void (isReply ? refresh(client, ...chatRoutes) : refreshCards(client))
      if (!isReply || !chatOpen) void announce(message)
    },
    onOpen: () => {
      void refreshCards(client)
      void refresh(client, ...chatRoutes)
    },
  })
  return status === 'live'
}

/** Fetches the code of the toasts with the first message: most visits get none. */
async function announce(message: LiveMessage): Promise<void> {
  const part = import('./live-toast.ts')
  await part.then(({ showLiveToast }) => showLiveToast(message)).catch(() => undefined)
}

function whose(message: LiveMessage): string | undefined {
  if (message.type === 'NEW_SUBMISSION') return message.submission.userId
  return 'userId' in message ? message.userId : undefined
}
