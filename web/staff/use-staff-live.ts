import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { routes } from '#contract/routes.ts'
import { useLive } from '../api/live.ts'
import { refresh } from '../api/read.ts'
import { useChatNews } from './chat/use-chat-news.ts'
import { announce } from './notices/announce.ts'
import { refreshSubmissionNotices } from './notices/use-notices.ts'
import { isStaffPath } from './session.ts'
import { useSubmissionUpdates } from './submissions/use-updates.ts'
import { throttle } from './throttle.ts'

const CALM = 1000

/** Keeps what staff see current and announces what arrives; says whether the channel is open. */
export function useStaffLive(): boolean {
  const client = useQueryClient()
  const updateSubmissions = useSubmissionUpdates()
  const refreshLists = useMemo(
    () => throttle(() => void refresh(client, routes.staffTransactions, routes.staffUsers), CALM),
    [client],
  )
  const refreshNotices = useMemo(() => throttle(() => refreshSubmissionNotices(client), CALM), [client])
  const hearChat = useChatNews()

  return useLive({
    onMessage: (message) => {
      announce(message)
      if (hearChat(message)) return
      updateSubmissions(message)
      if (message.type !== 'CLAIM_UPDATE') refreshLists()
      if (message.type === 'NEW_SUBMISSION' || message.type === 'SUBMISSIONS_CLEARED') refreshNotices()
    },
    onOpen: () => catchUp(client),
  })
}

/** Fetches again what is shown. An answer on its way is waited for, so that the channel delays no first one. */
function catchUp(client: QueryClient): void {
  for (const query of client.getQueryCache().findAll({ predicate: isShownOnScreens })) {
    const arrived = query.promise?.catch(() => undefined)
    void Promise.resolve(arrived).then(() =>
      client.invalidateQueries({ queryKey: query.queryKey, exact: true }),
    )
  }
}

function isShownOnScreens({ queryKey: [path] }: Query): boolean {
  return isStaffPath(path) && path !== routes.adminMe.path
}
