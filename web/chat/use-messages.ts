import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#web/wire/errors.ts'
import { joinMessages, prependMessages, type ThreadMessage } from './message.ts'

/** Messages per call (the contract's default for `limit`). */
const PAGE_SIZE = 200
/** Milliseconds between two polls (spec section 9). */
export const POLL_MESSAGES = 5000

interface MessagesOptions<M> {
  queryKey: readonly unknown[]
  /** The newest messages, or the ones before this one; oldest first. */
  fetchMessages: (options: { before?: string; signal?: AbortSignal }) => Promise<M[]>
  /** Milliseconds between two polls, or false to load only on `refresh`. */
  every?: number | false
  enabled?: boolean
}

/** The messages of a thread, oldest first. Polls for new ones; fetches older ones on request. */
export function useMessages<M extends ThreadMessage>(options: MessagesOptions<M>) {
  const { queryKey, fetchMessages, every = POLL_MESSAGES, enabled = true } = options
  const client = useQueryClient()
  const older = useOlder(options)
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await fetchMessages({ signal })
      return joinMessages(client.getQueryData<M[]>(queryKey) ?? [], newest)
    },
    // Asking again helps with a lost connection, but not with an ended session or an unknown thread.
    refetchInterval: ({ state }) => (isFinal(state.error) ? false : every),
    enabled,
  })
  const messages = query.data ?? []
  const hasOlder = messages.length >= PAGE_SIZE && messages[0]?.id !== older.start
  return {
    messages: query.data,
    pending: query.isPending,
    error: query.error,
    /** Polls now. */
    refresh: query.refetch,
    /** Undefined when every message is shown. */
    showOlder: hasOlder ? older.show : undefined,
    showingOlder: older.loading,
    olderFailed: older.failed,
  }
}

function isFinal(error: Error | null): boolean {
  return error instanceof ApiError && [400, 401, 404].includes(error.status)
}

function useOlder<M extends ThreadMessage>({ queryKey, fetchMessages }: MessagesOptions<M>) {
  const client = useQueryClient()
  const [loading, setLoading] = useState(false)
  const [failed, setFailed] = useState(false)
  /** The id of the thread's first message, once it is known. */
  const [start, setStart] = useState<string>()
  async function show() {
    const [first] = client.getQueryData<M[]>(queryKey) ?? []
    if (!first || loading) return
    setLoading(true)
    try {
      const rows = await fetchMessages({ before: first.id })
      if (rows.length < PAGE_SIZE) setStart((rows[0] ?? first).id)
      client.setQueryData<M[]>(queryKey, (known) => prependMessages(rows, first, known))
      setFailed(false)
    } catch {
      setFailed(true)
    } finally {
      setLoading(false)
    }
  }
  return { loading, failed, start, show }
}
