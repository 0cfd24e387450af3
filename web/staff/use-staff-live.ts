import { type Query, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import { type LiveStatus, useLive } from '#web/wire/live.ts'
import { fetchAgain, isStaffPath, refresh } from '#web/wire/read.ts'
import { useChatNews } from './chat/use-chat-news.ts'
import { announce } from './notices/announce.ts'
import { refreshSubmissionNotices } from './notices/use-notices.ts'
import { useSubmissionUpdates } from './submissions/use-updates.ts'
import { throttle } from './throttle.ts'

const CALM = 1000

/** Keeps what staff see current and announces what arrives. */
export function useStaffLive(): LiveStatus {
  const client = useQueryClient()
  const updateSubmissions = useSubmissionUpdates()
  const refreshLists = useMemo(
    () => throttle(() => void refresh(client, routes.staffTransactions, routes.staffUsers), CALM),
    [client],
  )
  const refreshNotices = useMemo(() => throttle(() => refreshSubmissionNotices(client), CALM), [client])
  const hearChat = useChatNews()

  return useLive({
    side: 'staff',
    onMessage: (message) => {
      announce(message)
      if (hearChat(message)) return
      updateSubmissions(message)
      if (message.type !== 'CLAIM_UPDATE') refreshLists()
      if (changesNotices(message)) refreshNotices()
    },
    onOpen: () => void fetchAgain(client, { predicate: isShownOnScreens }),
  })
}

function changesNotices(message: LiveMessage): boolean {
  const { type } = message
  return (
    type === 'NEW_SUBMISSION' ||
    type === 'SUBMISSIONS_CLEARED' ||
    (type === 'STATUS_UPDATE' && !!message.answer)
  )
}

function isShownOnScreens({ queryKey: [path] }: Query): boolean {
  return isStaffPath(path) && path !== routes.adminMe.path
}
