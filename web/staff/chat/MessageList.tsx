import { useEffect, useRef } from 'react'
import { SUPPORT_NAME } from '#contract/chat.ts'
import { cx } from '../../ui/cx.ts'
import { ChatTime } from './ChatTime.tsx'
import type { ThreadMessage } from './thread-calls.ts'

interface MessageListProps {
  messages: readonly ThreadMessage[]
  /** Whose conversation it is. */
  username: string
}

export function MessageList({ messages, username }: MessageListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const newest = messages.at(-1)?.id
  useEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [newest])
  if (messages.length === 0) {
    return <p className="flex-1 p-8 text-center text-soft">No messages in this conversation</p>
  }
  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
      tabIndex={0}
      role="log"
      aria-label="Messages"
      className="min-h-0 flex-1 overflow-y-auto p-4"
    >
      <ol className="grid gap-3">
        {messages.map((message) => (
          <Message key={message.id} message={message} username={username} />
        ))}
      </ol>
    </div>
  )
}

function Message({ message, username }: { message: ThreadMessage; username: string }) {
  const reply = message.isAdminReply
  return (
    <li className={cx('flex', reply ? 'justify-end' : 'justify-start')}>
      <div
        className={cx(
          'grid max-w-[min(85%,36rem)] gap-1 rounded-lg px-4 py-2.5',
          reply ? 'bg-accent text-on-accent' : 'bg-sunken text-ink',
        )}
      >
        <p className="whitespace-pre-line wrap-anywhere">{message.message}</p>
        <p className="flex flex-wrap items-baseline gap-x-2 text-xs">
          <span className="font-medium">
            {reply ? (message.adminUsername ?? SUPPORT_NAME) : (message.username ?? username)}
          </span>
          <ChatTime at={message.createdAt} className={reply ? 'text-on-accent' : 'text-soft'} />
        </p>
      </div>
    </li>
  )
}
