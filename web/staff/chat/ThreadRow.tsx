import type { ChatThread } from '#contract/chat.ts'
import { cx } from '../../ui/cx.ts'
import { ChatTime } from './ChatTime.tsx'

interface ThreadRowProps {
  thread: ChatThread
  open: boolean
  onSelect: () => void
}

export function ThreadRow({ thread, open, onSelect }: ThreadRowProps) {
  const unread = thread.unreadCount > 0
  return (
    <li>
      <button
        type="button"
        aria-current={open ? 'true' : undefined}
        onClick={onSelect}
        className={cx(
          'grid w-full grid-cols-[minmax(0,1fr)] gap-0.5 border-l-4 py-3 pr-4 pl-3 text-left focus-visible:-outline-offset-2',
          open ? 'border-accent bg-accent-quiet' : 'border-transparent hover:bg-sunken',
        )}
      >
        <span className="flex items-center justify-between gap-3">
          <span className="truncate font-semibold">{thread.username}</span>
          {unread && (
            <span className="figures shrink-0 rounded-full bg-accent px-2 font-semibold text-on-accent text-xs">
              {thread.unreadCount}
              <span className="sr-only"> unread</span>
            </span>
          )}
        </span>
        <span className="truncate text-soft text-sm">{thread.userEmail}</span>
        <span className="flex items-baseline justify-between gap-3 text-sm">
          <span className={cx('truncate', unread ? 'font-medium' : 'text-soft')}>{thread.lastMessage}</span>
          <ChatTime at={thread.lastMessageTime} />
        </span>
        {thread.answeringBy && (
          <span className="truncate text-accent text-sm">{thread.answeringBy} is answering</span>
        )}
      </button>
    </li>
  )
}
