import { useQueryClient } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import type { ChatThread } from '#contract/staff-chat.ts'
import { IconButton } from '#web/kit/Button.tsx'
import { Link } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { pathTo } from '#web/words/paths.ts'
import { MessageList } from '../../chat/MessageList.tsx'
import { useInSight } from '../../chat/use-in-sight.ts'
import { useMessages } from '../../chat/use-messages.ts'
import { shownMessages } from '../../chat/use-outbox.ts'
import { LanguageBadge } from '../badges.tsx'
import { QueryStatus } from '../QueryStatus.tsx'
import { ReplyBox } from './ReplyBox.tsx'
import { markRead, messagesKey, readMessages, refreshThread, type ThreadMessage } from './thread-queries.ts'

/** Polling interval while the live channel is down (spec section 9). */
const POLL_MESSAGES_MS = 2000

interface ConversationProps {
  thread: ChatThread
  live: boolean
  /** Just chosen from the list: the reply box takes the focus. */
  chosen: boolean
  onBack: () => void
}

export function Conversation({ thread, live, chosen, onBack }: ConversationProps) {
  useReadMark(thread)
  return (
    <section
      aria-label={`Conversation with ${thread.username}`}
      className="flex min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface"
    >
      <header className="flex items-center gap-3 border-line border-b px-4 py-3">
        <IconButton label="Back to the conversations" onClick={onBack} className="-ml-2 md:hidden">
          <ArrowLeft className="size-5" />
        </IconButton>
        <Customer thread={thread} />
      </header>
      <Messages thread={thread} live={live} />
      <ReplyBox thread={thread} autoFocus={chosen} />
    </section>
  )
}

function Customer({ thread: { type, username, userEmail, locale, subject } }: { thread: ChatThread }) {
  return (
    <>
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <h2 dir="auto" className="truncate text-left text-lg">
            {username}
          </h2>
          <LanguageBadge locale={locale} />
        </div>
        <p className="truncate text-soft text-sm">{userEmail}</p>
      </div>
      {subject && (
        <p className="max-w-1/2 min-w-0 truncate text-sm max-sm:hidden" title={subject}>
          <span className="text-soft">Subject:</span> <bdi>{subject}</bdi>
        </p>
      )}
      {type === 'user' && (
        <Link
          to={pathTo('admin', { q: userEmail })}
          className="shrink-0 rounded-sm font-medium text-accent text-sm underline underline-offset-4"
        >
          Submissions
        </Link>
      )}
    </>
  )
}

function Messages({ thread, live }: { thread: ChatThread; live: boolean }) {
  const { messages, pending, error, refresh, ...older } = useMessages<ThreadMessage>({
    queryKey: messagesKey(thread.id),
    fetchMessages: (page) => readMessages(thread, page),
    every: live ? false : POLL_MESSAGES_MS,
  })
  if (!messages) {
    const query = { isPending: pending, isError: !pending, error, refetch: refresh }
    const loading = <Waiting>Loading the messages...</Waiting>
    return (
      <div className="grid flex-1 content-center p-4">
        <QueryStatus query={query} noun="the messages" loading={loading} />
      </div>
    )
  }
  const shown = shownMessages(messages, [], {
    mine: ({ isAdminReply }) => isAdminReply,
    name: ({ isAdminReply, adminUsername, username }) =>
      isAdminReply ? (adminUsername ?? 'Support agent') : (username ?? thread.username),
  })
  return (
    <MessageList
      label="Messages"
      messages={shown}
      empty="No messages in this conversation"
      {...older}
      className="flex-1"
    />
  )
}

/** Marks messages as read while the conversation is in sight. */
function useReadMark(thread: ChatThread): void {
  const client = useQueryClient()
  const unread = useInSight() ? thread.unreadCount : 0
  const mark = useEffectEvent(() => {
    // If it fails, the next message or the next visit marks them.
    markRead(thread).then(
      () => refreshThread(client, thread.id),
      () => undefined,
    )
  })
  useEffect(() => {
    if (unread > 0) mark()
  }, [unread])
}
