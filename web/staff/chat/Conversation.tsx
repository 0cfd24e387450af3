import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { ChatThread } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import { messageOf } from '../../api/errors.ts'
import { refresh } from '../../api/read.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Failure } from '../../ui/Notice.tsx'
import { Waiting } from '../../ui/Skeleton.tsx'
import { MessageList } from './MessageList.tsx'
import { ReplyBox } from './ReplyBox.tsx'
import { markRead, messagesKey, readMessages } from './thread-calls.ts'

/** Milliseconds between two looks, in case nothing was pushed (spec section 9). */
const POLL_MESSAGES = 2000

export function Conversation({ thread, onBack }: { thread: ChatThread; onBack: () => void }) {
  const messages = useQuery({
    queryKey: messagesKey(thread),
    queryFn: ({ signal }) => readMessages(thread, signal),
    refetchInterval: POLL_MESSAGES,
  })
  useReadMark(thread)
  return (
    <section
      aria-label={`Conversation with ${thread.username}`}
      className="flex min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface"
    >
      <header className="flex items-center gap-3 border-line border-b px-4 py-3">
        <IconButton label="Back to the conversations" onClick={onBack} className="-ml-2 md:hidden">
          <ArrowLeft aria-hidden="true" className="size-5" />
        </IconButton>
        <div className="min-w-0">
          <h2 className="truncate text-lg">{thread.username}</h2>
          <p className="truncate text-soft text-sm">{thread.userEmail}</p>
        </div>
        {thread.subject && (
          <p className="ml-auto min-w-0 truncate text-sm" title={thread.subject}>
            <span className="text-soft">Subject:</span> {thread.subject}
          </p>
        )}
      </header>
      {messages.isPending && <Waiting>Loading the messages...</Waiting>}
      {messages.isError && !messages.data && (
        <div className="flex-1 p-4">
          <Failure
            message={messageOf(messages.error, 'The messages could not be loaded.')}
            onRetry={() => void messages.refetch()}
          />
        </div>
      )}
      {messages.data && <MessageList messages={messages.data} username={thread.username} />}
      <ReplyBox thread={thread} />
    </section>
  )
}

/** Whoever opens a conversation has read it, and also what arrives while it is open. */
function useReadMark(thread: ChatThread): void {
  const client = useQueryClient()
  const mark = useEffectEvent(() => {
    // Not marked is no harm: the next look at the list has it unread, and this runs again.
    markRead(thread).then(
      () => refresh(client, routes.chatThreads),
      () => undefined,
    )
  })
  useEffect(() => {
    if (thread.unreadCount > 0) mark()
  }, [thread.unreadCount])
}
