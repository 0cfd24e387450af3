import { Reply } from 'lucide-react'
import { memo } from 'react'
import type { ChatThread } from '#contract/staff-chat.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { chatTime } from '../../chat/chat-time.ts'
import { SearchField } from '../lists/SearchField.tsx'
import { useVirtualRows } from '../lists/use-virtual-rows.ts'
import { useStaff } from '../use-staff.ts'
import { useDraft } from './drafts.ts'
import type { Threads } from './use-threads.ts'

interface ThreadListProps {
  threads: Threads
  selected: string | undefined
  onSelect: (id: string) => void
  q: string
  onSearch: (q: string) => void
  className?: string
}

export function ThreadList({ threads, selected, onSelect, q, onSearch, className }: ThreadListProps) {
  const { query, rows, total, more } = threads
  const { scroller, shown, height } = useVirtualRows({
    rows,
    rowRem: ROW_REM,
    // After a failure only the button tries again, not scrolling.
    fetchMore: more.error || more.loading ? undefined : more.load,
  })
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
          {query.data && (
            <span className="figures rounded-full bg-neutral-quiet px-2 py-0.5 text-neutral text-xs">
              {total.toLocaleString('en-US')}
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
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
        {query.isPending && (
          <div className="p-3">
            <SkeletonRows rows={5} label="Loading the conversations" />
          </div>
        )}
        {query.isError && rows.length === 0 && (
          <div className="p-3">
            <Failure
              message={messageOf(query.error, 'The conversations could not be loaded.')}
              onRetry={() => void query.refetch()}
            />
          </div>
        )}
        {query.isSuccess && rows.length === 0 && (
          <p role="status" className="p-6 text-center text-soft">
            No conversations found
          </p>
        )}
        <ul
          aria-label="Conversations"
          style={{ height }}
          className={cx('relative', query.isPlaceholderData && 'opacity-60')}
        >
          {shown.map(({ index, start, size }) => {
            const thread = rows[index]
            return (
              thread && (
                <li
                  key={thread.id}
                  aria-setsize={rows.length}
                  aria-posinset={index + 1}
                  style={{ height: size, top: start }}
                  className="absolute inset-x-0 border-line border-b"
                >
                  <ThreadRow thread={thread} open={thread.id === selected} onSelect={onSelect} />
                </li>
              )
            )
          })}
        </ul>
        {more.load && (
          <div className="p-3">
            {more.error && (
              <p role="alert" className="pb-2 text-center text-negative text-sm">
                {messageOf(more.error, 'More conversations could not be loaded.')}
              </p>
            )}
            <Button variant="secondary" wide loading={more.loading} onClick={more.load}>
              Load more
            </Button>
          </div>
        )}
      </div>
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
          <Reply aria-hidden="true" className="mr-1 inline size-3.5 align-[-2px]" />
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
    <time dateTime={at} className="figures whitespace-nowrap text-soft text-xs">
      {chatTime(at)}
    </time>
  )
}
