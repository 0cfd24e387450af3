import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import { useLive } from '../api/live.ts'
import { refresh } from '../api/read.ts'
import { toast } from '../ui/toast.ts'
import { isStaffPath } from './session.ts'
import { useSubmissionUpdates } from './submissions/use-updates.ts'
import { throttle } from './throttle.ts'

/** How much of a message its toast shows (spec section 9). */
const PREVIEW = 50
const CALM = 1000

/** Keeps what staff see current and announces what arrives; says whether the channel is open. */
export function useStaffLive(): boolean {
  const client = useQueryClient()
  const updateSubmissions = useSubmissionUpdates()
  const refreshLists = useMemo(
    () => throttle(() => void refresh(client, routes.staffTransactions, routes.staffUsers), CALM),
    [client],
  )
  const refreshChat = useMemo(
    () => throttle(() => void refresh(client, routes.chatThreads, routes.chatMessages), CALM),
    [client],
  )

  return useLive({
    onMessage: (message) => {
      announce(message)
      updateSubmissions(message)
      if (message.type === 'NEW_CHAT_MESSAGE') refreshChat()
      else if (message.type !== 'CLAIM_UPDATE') refreshLists()
    },
    onOpen: () =>
      void client.invalidateQueries({
        predicate: ({ queryKey: [path] }) => isStaffPath(path) && path !== routes.adminMe.path,
      }),
  })
}

function announce(message: LiveMessage): void {
  if (message.type === 'NEW_SUBMISSION') {
    const { brandName, user } = message.submission
    toast({ title: 'New Submission', description: `${brandName} from ${user.username}` })
  }
  if (message.type === 'NEW_CHAT_MESSAGE') {
    toast({ title: 'New Chat Message', description: `${message.username}: ${preview(message.message)}` })
  }
}

function preview(text: string): string {
  const characters = [...text]
  return characters.length > PREVIEW ? `${characters.slice(0, PREVIEW).join('')}…` : text
}
