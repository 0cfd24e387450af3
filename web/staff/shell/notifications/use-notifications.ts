import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import type { Administrator } from '#contract/administrators.ts'
import { routes } from '#contract/routes.ts'
import { may } from '#domain/roles.ts'
import { useLocation } from '#web/kit/router/index.ts'
import { createStoredText, useStore } from '#web/kit/store.ts'
import { call } from '#web/wire/call.ts'
import { parseJson } from '#web/wire/errors.ts'
import { paths } from '#web/words/paths.ts'
import { useIdle } from '../use-idle.ts'
import {
  assignmentNotifications,
  batchKey,
  batchNotification,
  isUnread,
  markAllSeen,
  markSeen,
  mergeMessages,
  type Notification,
  newestFirst,
  type Seen,
  submissionKey,
  submissionNotification,
} from './notification.ts'

const MAX_SHOWN = 100
const MAX_PER_KIND = 50
/** Polling interval while the live channel is down. */
const POLL_MS = 15_000

// The prefix of staff calls, so that signing out removes these and a new live channel refetches them.
const root = '/api/admin/notifications'
export const submissionNotificationsKey = [root, 'submissions']
export const messageNotificationsKey = [root, 'messages']
export const assignmentNotificationsKey = [root, 'assignments']
export const batchNotificationsKey = [root, 'batches']

export type Notifications = ReturnType<typeof useNotifications>

/**
 * New submissions, answers, messages and assignments. They come from the server, so a reload or a lost connection loses nothing. The
 * browser stores only which ones were seen.
 */
export function useNotifications({ admin, live }: { admin: Administrator; live: boolean }) {
  const client = useQueryClient()
  // The screen's own requests go first.
  const enabled = useIdle() && !admin.needsSecondFactor
  const [chats, decides] = [may(admin.role, 'chat'), may(admin.role, 'decide')]
  const refetchInterval = live ? (false as const) : POLL_MS
  const submissions = useQuery({
    queryKey: submissionNotificationsKey,
    queryFn: async ({ signal }) => {
      const rows = await call(routes.staffSubmissions, {
        query: { limit: String(MAX_PER_KIND), answeredFirst: 'true' },
        signal,
      })
      return rows.map(submissionNotification)
    },
    enabled: enabled && decides,
    refetchInterval,
  })
  const messages = useQuery({
    queryKey: messageNotificationsKey,
    queryFn: async ({ signal }) => {
      const threads = await call(routes.chatThreads, { query: { limit: String(MAX_PER_KIND) }, signal })
      return mergeMessages(client.getQueryData<Notification[]>(messageNotificationsKey) ?? [], threads)
    },
    enabled: enabled && chats,
    refetchInterval,
  })
  const assignments = useQuery({
    queryKey: assignmentNotificationsKey,
    queryFn: async ({ signal }) => {
      const limit = String(MAX_PER_KIND)
      const [claimed, threads] = await Promise.all([
        call(routes.staffSubmissions, { query: { limit, claimed: 'me' }, signal }),
        chats ? call(routes.chatThreads, { query: { limit, show: 'mine' }, signal }) : [],
      ])
      return assignmentNotifications(admin.username, claimed, threads)
    },
    enabled,
    refetchInterval,
  })
  const batches = useQuery({
    queryKey: batchNotificationsKey,
    queryFn: async ({ signal }) => {
      const query = { limit: String(MAX_PER_KIND), state: 'frozen' as const }
      const frozen = await call(routes.payoutBatches, { query, signal })
      return frozen.filter(({ releasers }) => releasers.includes(admin.username)).map(batchNotification)
    },
    enabled: enabled && may(admin.role, 'pay'),
    refetchInterval,
  })
  const [seen, keepSeen] = useSeen(admin.id)
  const list = useMemo(() => {
    const found = [submissions, messages, assignments, batches].flatMap(({ data = [] }) => data)
    const all = newestFirst(found, MAX_SHOWN)
    return all.map((notification) => ({ ...notification, unread: isUnread(notification, seen) }))
  }, [submissions.data, messages.data, assignments.data, batches.data, seen])

  const read = (notification: Notification) => keepSeen(markSeen(seen, notification))
  useReadByOpening(list, read)
  return {
    list,
    unread: list.filter(({ unread }) => unread).length,
    loading: (decides && submissions.isPending) || (chats && messages.isPending),
    read,
    readAll: () => keepSeen(markAllSeen(seen, list)),
  }
}

/** Opening a submission or batch marks its notification as read. Conversations are marked as read on the server. */
function useReadByOpening(list: Notifications['list'], read: Notifications['read']): void {
  const { pathname, search } = useLocation()
  const address = new URLSearchParams(search)
  const open =
    pathname === paths.admin
      ? submissionKey(address.get('id') ?? '')
      : pathname === paths.adminPayouts && batchKey(address.get('batch') ?? '')
  const notification = list.find(({ key, unread }) => unread && key === open)
  const see = useEffectEvent(() => notification && read(notification))
  useEffect(() => {
    if (notification?.key) see()
  }, [notification?.key])
}

const DAY_MS = 86_400_000

/**
 * What an administrator has seen, stored in this browser and shared by its tabs. No text of a notification is stored.
 * On the first visit, everything older than a day counts as seen.
 */
function useSeen(adminId: string): [Seen, (seen: Seen) => void] {
  const store = useMemo(() => createStoredText('localStorage', `staff-notices-${adminId}`), [adminId])
  const stored = useStore(store)
  const seen = useMemo(() => {
    const { upTo, keys } = (parseJson(stored ?? '') ?? {}) as Partial<Seen>
    return { upTo: upTo ?? new Date(Date.now() - DAY_MS).toISOString(), keys: keys ?? {} }
  }, [stored])
  return [seen, (next) => store.set(JSON.stringify(next))]
}
