import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import { toast } from '#web/kit/toast.ts'
import { type LiveStatus, useLive } from '#web/wire/live.ts'
import { fetchAgain, isStaffPath, refresh } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { cutPreview } from '../../chat/cut-preview.ts'
import { keepClaim } from './claim.ts'
import { playSound } from './notifications/sound.ts'
import {
  assignmentNotificationsKey,
  batchNotificationsKey,
  messageNotificationsKey,
  submissionNotificationsKey,
} from './notifications/use-notifications.ts'
import { refreshPayouts } from './payout-queries.ts'
import { refreshSubmissions } from './submission-queries.ts'
import { refreshMessages, refreshThreads } from './thread-queries.ts'
import { throttle } from './throttle.ts'

/** If pushes arrive faster, what they make stale is refetched together. */
const REFRESH_MS = 1000

/** Refetches what a push makes stale, and announces new submissions, answers and messages. */
export function useStaffLive(adminId: string, enabled: boolean): LiveStatus {
  const client = useQueryClient()
  const [refreshSoon] = useState(() => createRefresher(client))
  return useLive(
    {
      side: 'staff',
      onMessage: (message) => {
        const isForMe = message.type !== 'ASSIGNED' || message.assigneeId === adminId
        if (isForMe && !isInView(message)) announce(message)
        if (message.type === 'CLAIM_UPDATE') keepClaim(client, message.submissionId, message.claimedBy)
        const threadId = threadWithNews(message)
        if (threadId) void refreshMessages(client, threadId)
        refreshSoon(staleAfter(message))
      },
      onOpen: () => void fetchAgain(client, { predicate: isShownOnScreens }),
    },
    enabled,
  )
}

type Refresh = (client: QueryClient) => Promise<void>

function createRefresher(client: QueryClient): (stale: readonly Refresh[]) => void {
  const stale = new Set<Refresh>()
  const refreshStale = throttle(() => {
    for (const refreshOne of stale) void refreshOne(client)
    stale.clear()
  }, REFRESH_MS)
  return (more) => {
    for (const one of more) stale.add(one)
    if (more.length > 0) refreshStale()
  }
}

function staleAfter(message: LiveMessage): readonly Refresh[] {
  switch (message.type) {
    case 'NEW_SUBMISSION':
      return [refreshSubmissions, refreshTables, refreshNewSubmissions]
    case 'STATUS_UPDATE':
      // Approving makes a payout.
      return [refreshSubmissions, refreshTables, refreshPayouts, refreshNewSubmissions]
    case 'BALANCE_UPDATE':
      return [refreshSubmissions]
    case 'SUBMISSIONS_CLEARED':
      return [refreshSubmissions, refreshTables, refreshPayouts, refreshNewSubmissions]
    case 'ASSIGNED':
      return [refreshAssignments]
    case 'SELLER_UPDATE':
      return [refreshOpen, refreshTables]
    case 'PAYOUT_UPDATE':
      return [refreshOpen, refreshPayouts, refreshBatchNotifications]
    case 'THREAD_UPDATE':
      // The others change no unread message.
      return [refreshThreads, ...(threadWithNews(message) ? [refreshNewMessages] : [])]
    case 'NEW_CHAT_MESSAGE':
      return isForStaff(message) ? [refreshThreads, refreshNewMessages] : []
    default:
      return []
  }
}

const refreshTables: Refresh = (client) =>
  refresh(client, routes.staffTransactions, routes.staffUsers, routes.staffSeller, routes.chatCards)
const refreshOpen: Refresh = (client) => refresh(client, routes.staffSubmission, routes.staffSeller)
const refreshNewSubmissions: Refresh = (client) =>
  fetchAgain(client, { queryKey: submissionNotificationsKey })
const refreshBatchNotifications: Refresh = (client) => fetchAgain(client, { queryKey: batchNotificationsKey })
const refreshNewMessages: Refresh = (client) => fetchAgain(client, { queryKey: messageNotificationsKey })

const refreshAssignments: Refresh = (client) => fetchAgain(client, { queryKey: assignmentNotificationsKey })

/** The thread whose messages have changed. */
function threadWithNews(message: LiveMessage): string | undefined {
  if (isForStaff(message)) return message.threadId
  const isNews = message.type === 'THREAD_UPDATE' && (message.what === 'replied' || message.what === 'read')
  return isNews ? message.threadId : undefined
}

/** Whether the message appears in the conversation that this window shows. */
function isInView(message: LiveMessage): boolean {
  if (!isForStaff(message) || location.pathname !== paths.adminChat || !document.hasFocus()) return false
  const address = new URLSearchParams(location.search)
  return [message.threadId, message.userId].includes(
    address.get('thread') ?? address.get('user') ?? undefined,
  )
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
  if (message.type === 'ASSIGNED') {
    return { title: 'Assigned to You', description: `${message.about}, by ${message.by}` }
  }
  if (isForStaff(message)) {
    const description = `${message.username}: ${cutPreview(message.message) || 'Photo'}`
    return { title: 'New Chat Message', description }
  }
  return undefined
}

type ChatPush = Extract<LiveMessage, { type: 'NEW_CHAT_MESSAGE' }>

/** A customer's message. An administrator who is also signed in as a seller gets support's replies on the same channel. */
function isForStaff(message: LiveMessage): message is ChatPush & { threadId: string } {
  return message.type === 'NEW_CHAT_MESSAGE' && message.threadId !== undefined
}

function isShownOnScreens({ queryKey: [path] }: Query): boolean {
  return isStaffPath(path) && path !== routes.adminMe.path
}
