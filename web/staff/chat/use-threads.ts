import { useState } from 'react'
import type { ChatThread } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import { usePagedList } from '../lists/use-paged-list.ts'

/** Milliseconds between two looks, in case nothing was pushed (spec section 9). */
const POLL_THREADS = 5000

export type Threads = ReturnType<typeof useThreads>

/** The conversations that a search gives, and any that was open when it began. */
export function useThreads(q: string) {
  const list = usePagedList(routes.chatThreads, { q: q || undefined }, { refetchInterval: POLL_THREADS })
  const [known, setKnown] = useState<ChatThread>()
  function find(id: string | undefined): ChatThread | undefined {
    const listed = list.rows.find((thread) => thread.id === id)
    if (listed && listed !== known) setKnown(listed)
    return listed ?? (known?.id === id ? known : undefined)
  }
  return { ...list, q, find }
}
