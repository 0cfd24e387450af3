import { Reply } from 'lucide-react'
import { memo } from 'react'
import type { ChatThread } from '#contract/staff-chat.ts'
import { cx } from '#web/kit/cx.ts'
import { Time } from '#web/kit/Time.tsx'
import { LanguageBadge } from '../badges.tsx'
import { SearchField } from '../lists/SearchField.tsx'
import type { PagedList } from '../lists/use-paged-list.ts'
import { VirtualList } from '../lists/VirtualList.tsx'
import { useStaff } from '../use-staff.ts'
import { useDraft } from './drafts.ts'

interface ThreadListProps {
  threads: PagedList<ChatThread>
  selected: string | undefined
  onSelect: (id: string) => void
  q: string
  onSearch: (q: string) => void
  className?: string
}

export function ThreadList({ threads, selected, onSelect, q, onSearch, className }: ThreadListProps) {
  return (
    <section
      aria-label="Conversations"
      className={cx(
        'flex min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-surface',
        className,
      )}
    >
      <div className="grid gap-3 border-line border-b p-3">
        <h2 className="flex items-center gap-2 px-1 text-base">
          Conversations
          {threads.query.isSuccess && (
            <span className="figures rounded-full bg-neutral-quiet px-2 py-0.5 text-neutral text-xs">
              {threads.total.toLocaleString('en-US')}
            </span>
          )}
        </h2>
        <SearchField
          label="Search conversations"
          placeholder="Search conversations..."
          value={q}
          onChange={onSearch}
        />
      </div>
      <VirtualList
        list={threads}
        noun="conversations"
        rowRem={ROW_REM}
        empty={
          <p role="status" className="p-3 text-center text-soft">
            No conversations found
          </p>
        }
      >
        {(thread) => <ThreadRow thread={thread} open={thread.id === selected} onSelect={onSelect} />}
      </VirtualList>
    </section>
  )
}

interface ThreadRowProps {
  thread: ChatThread
  open: boolean
  onSelect: (id: string) => void
}

/** Every row has three lines, each truncated. */
const ROW_REM = 6

const ThreadRow = memo(function ThreadRow({ thread, open, onSelect }: ThreadRowProps) {
  const { username, userEmail, locale, lastMessageTime, unreadCount } = thread
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
        <span className="flex min-w-0 items-center gap-2">
          <span dir="auto" className="truncate font-semibold">
            {username}
          </span>
          <LanguageBadge locale={locale} />
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
        <Preview thread={thread} />
        <ChatTime at={lastMessageTime} />
      </span>
    </button>
  )
})

/** Who is answering, else your draft, else the last message. */
function Preview({ thread }: { thread: ChatThread }) {
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
          <Reply className="mr-1 inline size-3.5 align-[-2px]" />
          <span className="sr-only">Replied: </span>
        </>
      )}
      <bdi>{lastMessage}</bdi>
    </span>
  )
}

/** "Mar 5, 14:30" */
function ChatTime({ at }: { at: string }) {
  return (
    <span className="text-soft text-xs">
      <Time at={at} as="dateTime24" />
    </span>
  )
}
