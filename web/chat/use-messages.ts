import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#web/wire/errors.ts'
import { joinMessages, prependMessages, type ThreadMessage } from './message.ts'

/** Messages that one look brings (the contract's default for `limit`). */
const PAGE = 200
/** Between two looks, in milliseconds (spec section 9). */
export const POLL_MESSAGES = 5000

interface MessagesOptions<M> {
  queryKey: readonly unknown[]
  /** The newest messages, or the ones before this one; oldest first. */
  fetchMessages: (options: { before?: string; signal?: AbortSignal }) => Promise<M[]>
  /** Milliseconds between two looks; false: only when told (`refresh`). */
  every?: number | false
  enabled?: boolean
}

/** The messages of a thread, oldest first, looked for again and again; older ones when somebody asks for them. */
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
    // The session's end or an unknown thread is not mended by asking again; a lost connection is.
    refetchInterval: ({ state }) => (isFinal(state.error) ? false : every),
    enabled,
  })
  const messages = query.data ?? []
  const hasOlder = messages.length >= PAGE && messages[0]?.id !== older.start
  return {
    messages: query.data,
    pending: query.isPending,
    error: query.error,
    /** Looks now. */
    refresh: query.refetch,
    /** Shows what was said before; undefined when everything is shown. */
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
  /** The message that nothing comes before. */
  const [start, setStart] = useState<string>()
  async function show() {
    const [first] = client.getQueryData<M[]>(queryKey) ?? []
    if (!first || loading) return
    setLoading(true)
    try {
      const rows = await fetchMessages({ before: first.id })
      if (rows.length < PAGE) setStart((rows[0] ?? first).id)
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
