import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LiveMessage } from '#contract/live.ts'
import { isForStaff } from '../notices/announce.ts'
import { refreshMessageNotices } from '../notices/use-notices.ts'
import { throttle } from '../throttle.ts'
import { refreshLists, refreshMessages, refreshOpenThread, refreshThread } from './thread-queries.ts'

const CALM = 1000

/** Shows what is pushed about conversations. @returns whether a push was about one */
export function useChatNews(): (message: LiveMessage) => boolean {
  const client = useQueryClient()
  const refreshAll = useMemo(() => {
    const run = () => {
      void refreshLists(client)
      refreshMessageNotices(client)
    }
    return throttle(run, CALM)
  }, [client])
  return (message) => {
    if (message.type === 'THREAD_UPDATE') {
      void refreshThread(client, message.threadId)
      // Who is answering is no news, and changes neither what was said nor what is unread.
      if (message.what !== 'answering') refreshAll()
      if (message.what === 'replied') void refreshMessages(client, message.threadId)
      return true
    }
    if (isForStaff(message)) {
      refreshAll()
      void refreshOpenThread(client, message.threadId)
      void refreshMessages(client, message.threadId)
    }
    return message.type === 'NEW_CHAT_MESSAGE'
  }
}
