import { type Query, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import { toast } from '#web/kit/toast.ts'
import { type LiveStatus, useLive } from '#web/wire/live.ts'
import { fetchAgain, isStaffPath, refresh } from '#web/wire/read.ts'
import { cutPreview } from '../chat/cut-preview.ts'
import {
  refreshLists,
  refreshMessages,
  refreshOpenThread,
  refreshThread,
  refreshThreads,
} from './chat/thread-queries.ts'
import { playSound } from './notifications/sound.ts'
import { messageNotificationsKey, submissionNotificationsKey } from './notifications/use-notifications.ts'
import { refreshPayouts } from './payouts/payout-queries.ts'
import { useSubmissionUpdates } from './submissions/use-updates.ts'
import { throttle } from './throttle.ts'

/** Refreshes what a push makes stale, and announces new submissions, answers and messages. */
export function useStaffLive(enabled: boolean): LiveStatus {
  const client = useQueryClient()
  const updateSubmissions = useSubmissionUpdates()
  const refreshTables = useThrottled(
    () =>
      void refresh(client, routes.staffTransactions, routes.staffUsers, routes.staffSeller, routes.chatCards),
  )
  const refreshNotifications = useThrottled(
    () => void fetchAgain(client, { queryKey: submissionNotificationsKey }),
  )
  const refreshAllPayouts = useThrottled(() => {
    void refreshPayouts(client)
    void refresh(client, routes.staffSubmission, routes.staffSeller)
  })
  const updateChat = useChatUpdates()

  return useLive(
    {
      side: 'staff',
      onMessage: (message) => {
        announce(message)
        if (updateChat(message)) return
        if (message.type === 'PAYOUT_UPDATE') return refreshAllPayouts()
        // Approving makes a payout, and clearing cancels some.
        if (message.type === 'STATUS_UPDATE' || message.type === 'SUBMISSIONS_CLEARED') refreshAllPayouts()
        updateSubmissions(message)
        if (message.type !== 'CLAIM_UPDATE') refreshTables()
        if (changesNotifications(message)) refreshNotifications()
      },
      onOpen: () => void fetchAgain(client, { predicate: isShownOnScreens }),
    },
    enabled,
  )
}

/** @returns whether the message was about a chat */
function useChatUpdates(): (message: LiveMessage) => boolean {
  const client = useQueryClient()
  const refreshAll = useThrottled(() => {
    void refreshLists(client)
    void fetchAgain(client, { queryKey: messageNotificationsKey })
  })
  const refreshStates = useThrottled(() => void refreshThreads(client))
  return (message) => {
    if (message.type === 'THREAD_UPDATE') {
      if (message.what === 'changed') {
        refreshStates()
        return true
      }
      void refreshThread(client, message.threadId)
      // "Is answering" changes no messages and no unread count.
      if (message.what !== 'answering') refreshAll()
      if (message.what === 'replied' || message.what === 'read') {
        void refreshMessages(client, message.threadId)
      }
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

/** @param run may only use values that stay the same, such as the query client */
function useThrottled(run: () => void): () => void {
  const [throttled] = useState(() => throttle(run, 1000))
  return throttled
}

function announce(message: LiveMessage): void {
  const announcement = announcementOf(message)
  if (!announcement) return
  toast(announcement)
  playSound()
}

function announcementOf(message: LiveMessage) {
  if (message.type === 'NEW_SUBMISSION') {
    const { brandName, user } = message.submission
    return { title: 'New Submission', description: `${brandName} from ${user.username}` }
  }
  if (message.type === 'STATUS_UPDATE' && message.answer) {
    const { brandName, username } = message.answer
    return { title: 'Seller Answered', description: `${brandName} from ${username}` }
  }
  if (isForStaff(message)) {
    const description = `${message.username}: ${cutPreview(message.message)}`
    return { title: 'New Chat Message', description }
  }
  return undefined
}

type ChatPush = Extract<LiveMessage, { type: 'NEW_CHAT_MESSAGE' }>

/** A customer's message. An administrator who is also signed in as a seller gets support's replies on the same channel. */
function isForStaff(message: LiveMessage): message is ChatPush & { threadId: string } {
  return message.type === 'NEW_CHAT_MESSAGE' && message.threadId !== undefined
}

function changesNotifications({ type, ...message }: LiveMessage): boolean {
  const isAnswer = type === 'STATUS_UPDATE' && 'answer' in message && Boolean(message.answer)
  return type === 'NEW_SUBMISSION' || type === 'SUBMISSIONS_CLEARED' || isAnswer
}

function isShownOnScreens({ queryKey: [path] }: Query): boolean {
  return isStaffPath(path) && path !== routes.adminMe.path
}
