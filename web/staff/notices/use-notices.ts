import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { routes } from '#contract/routes.ts'
import { useLocation } from '#web/kit/router/index.ts'
import { call } from '#web/wire/call.ts'
import { fetchAgain } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import {
  isUnread,
  joinMessages,
  type Notice,
  newestFirst,
  seeAll,
  seeOne,
  submissionKey,
  submissionNotice,
} from './notice.ts'
import { useSeen } from './seen-store.ts'
import { useOnceQuiet } from './use-once-quiet.ts'

/** How many there are at most, and how many of each kind are asked for. */
const MOST = 100
const EACH = 50
/** Milliseconds between two looks while nothing is pushed. */
const POLL = 15_000

// Begins like staff's calls do, so that signing out forgets it and an opened channel fetches it anew.
const root = '/api/admin/notices'
const submissionsKey = [root, 'submissions']
const messagesKey = [root, 'messages']

export interface Notices {
  list: readonly (Notice & { unread: boolean })[]
  unread: number
  loading: boolean
  read: (notice: Notice) => void
  readAll: () => void
}

/**
 * What happened since one last looked. Everything comes from the server, so that nothing is lost by a reload, a
 * night at home or a channel that was down; only what was seen is kept here.
 */
export function useNotices({ adminId, live }: { adminId: string; live: boolean }): Notices {
  const client = useQueryClient()
  // What somebody has come for is fetched first.
  const enabled = useOnceQuiet()
  const refetchInterval = live ? (false as const) : POLL
  const submissions = useQuery({
    queryKey: submissionsKey,
    queryFn: async ({ signal }) => {
      const rows = await call(routes.staffSubmissions, {
        query: { limit: String(EACH), answeredFirst: 'true' },
        signal,
      })
      return rows.map(submissionNotice)
    },
    enabled,
    refetchInterval,
  })
  const messages = useQuery({
    queryKey: messagesKey,
    queryFn: async ({ signal }) => {
      const threads = await call(routes.chatThreads, { query: { limit: String(EACH) }, signal })
      return joinMessages(client.getQueryData<Notice[]>(messagesKey) ?? [], threads)
    },
    enabled,
    refetchInterval,
  })
  const [seen, keepSeen] = useSeen(adminId)
  const list = useMemo(() => {
    const all = newestFirst([...(submissions.data ?? []), ...(messages.data ?? [])], MOST)
    return all.map((notice) => ({ ...notice, unread: isUnread(notice, seen) }))
  }, [submissions.data, messages.data, seen])

  const read = (notice: Notice) => keepSeen(seeOne(seen, notice))
  useReadByOpening(list, read)
  return {
    list,
    unread: list.filter(({ unread }) => unread).length,
    loading: submissions.isPending || messages.isPending,
    read,
    readAll: () => keepSeen(seeAll(seen, list)),
  }
}

/** A submission that is open was seen. (A conversation is marked as read for all staff by whoever opens it.) */
function useReadByOpening(list: Notices['list'], read: Notices['read']): void {
  const { pathname, search } = useLocation()
  const open = pathname === paths.admin ? new URLSearchParams(search).get('id') : null
  const notice = list.find(({ key, unread }) => unread && open !== null && key === submissionKey(open))
  const see = useEffectEvent(() => notice && read(notice))
  useEffect(() => {
    if (notice?.key) see()
  }, [notice?.key])
}

export function refreshSubmissionNotices(client: QueryClient): void {
  void fetchAgain(client, { queryKey: submissionsKey })
}

export function refreshMessageNotices(client: QueryClient): void {
  void fetchAgain(client, { queryKey: messagesKey })
}
