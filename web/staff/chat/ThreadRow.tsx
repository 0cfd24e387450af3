import { Reply } from 'lucide-react'
import { memo } from 'react'
import type { ChatThread } from '#contract/staff-chat.ts'
import { cx } from '#web/kit/cx.ts'
import { useStaff } from '../StaffArea.tsx'
import { ChatTime } from './ChatTime.tsx'
import { useDraft } from './drafts.ts'

interface ThreadRowProps {
  thread: ChatThread
  open: boolean
  onSelect: (id: string) => void
}

/** The height of a row: three lines, each cut at its end, whatever they hold. */
export const ROW_REM = 6

/** A conversation in the list, rendered anew only when something about it has changed. */
export const ThreadRow = memo(function ThreadRow({ thread, open, onSelect }: ThreadRowProps) {
  const { username, userEmail, lastMessageTime, unreadCount } = thread
  return (
    <button
      type="button"
      aria-current={open ? 'true' : undefined}
      onClick={() => onSelect(thread.id)}
      className={cx(
        'grid h-full w-full grid-cols-[minmax(0,1fr)] content-center gap-0.5 border-l-4 pr-4 pl-3 text-left focus-visible:-outline-offset-2',
        open ? 'border-accent bg-accent-quiet' : 'border-transparent hover:bg-sunken',
      )}
    >
      <span className="flex items-center justify-between gap-3">
        <span dir="auto" className="truncate font-semibold">
          {username}
        </span>
        {unreadCount > 0 && (
          <span className="figures shrink-0 rounded-full bg-accent px-2 font-semibold text-on-accent text-xs leading-5">
            {unreadCount}
            <span className="sr-only"> unread</span>
          </span>
        )}
      </span>
      <span className="truncate text-soft text-sm">{userEmail}</span>
      <span className="flex items-baseline justify-between gap-3 text-sm">
        <Said thread={thread} />
        <ChatTime at={lastMessageTime} />
      </span>
    </button>
  )
})

/** What was said last, and before that: who is about to say more, or what one has begun to say oneself. */
function Said({ thread }: { thread: ChatThread }) {
  const { id, lastMessage, lastMessageIsReply, unreadCount, answeringBy } = thread
  const { admin } = useStaff()
  const [{ text }] = useDraft(admin.id, id)
  if (answeringBy) return <span className="truncate font-medium text-accent">{answeringBy} is answering</span>
  if (text.trim()) {
    return (
      <span className="min-w-0 truncate">
        <span className="font-medium text-caution">Draft:</span> <bdi>{text}</bdi>
      </span>
    )
  }
  return (
    <span className={cx('min-w-0 truncate', unreadCount > 0 ? 'font-medium' : 'text-soft')}>
      {lastMessageIsReply && (
        <>
          <Reply aria-hidden="true" className="mr-1 inline size-3.5 align-[-2px]" />
          <span className="sr-only">Replied: </span>
        </>
      )}
      <bdi>{lastMessage}</bdi>
    </span>
  )
}
