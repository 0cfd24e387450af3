import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { routes } from '#contract/routes.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { refresh } from '#web/wire/read.ts'
import { supportChat } from '#web/words/support.ts'
import { useInSight } from '../../chat/use-in-sight.ts'
import { POLL_MESSAGES, useMessages } from '../../chat/use-messages.ts'
import { useOutbox } from '../../chat/use-outbox.ts'

/** Pushes bring what is new; looked for nevertheless, as a channel can be dead without knowing. */
const POLL_BESIDE_PUSHES = 30_000

/** The messages between the seller and support; what is in sight counts as read. */
export function useSupportThread(connected: boolean) {
  const thread = useMessages({
    queryKey: [routes.myChatMessages.path],
    fetchMessages: ({ before, signal }) =>
      call(routes.myChatMessages, { ...(before && { query: { before } }), ...(signal && { signal }) }),
    every: connected ? POLL_BESIDE_PUSHES : POLL_MESSAGES,
  })
  useReadMark(thread.messages?.findLast(({ isAdminReply, read }) => isAdminReply && !read)?.id)
  return thread
}

/** @param unread the newest reply that isn't marked as read yet */
function useReadMark(unread: string | undefined): void {
  const client = useQueryClient()
  const inSight = useInSight()
  useEffect(() => {
    if (!unread || !inSight) return
    // One that fails is made up for by the next reply or the next opening.
    call(routes.markMyChatRead, {})
      .then(() => refresh(client, routes.myUnread))
      .catch(() => undefined)
  }, [unread, inSight, client])
}

/** What the seller writes, sent and not yet sent; it outlives the closing of the chat. */
export function useSupportWriting() {
  const client = useQueryClient()
  const [draft, setDraft] = useState('')
  const outbox = useOutbox({
    post: (body) => call(routes.sendChatMessage, { body }),
    onSent: () => void refresh(client, routes.myChatMessages),
    onFailed: () => toast({ ...supportChat.failed, variant: 'destructive' }),
  })
  return { draft, setDraft, outbox }
}
