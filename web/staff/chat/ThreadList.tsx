import { useQuery } from '@tanstack/react-query'
import { AlarmClock, Keyboard, Reply, UserRound } from 'lucide-react'
import { memo } from 'react'
import { routes } from '#contract/routes.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { MAX_COUNTED, type ThreadListName } from '#domain/chat.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { LanguageBadge } from '../badges.tsx'
import { KeyButton } from '../keys/KeyHint.tsx'
import { useShortcutsOn } from '../keys/use-keys.ts'
import { SearchField } from '../lists/SearchField.tsx'
import type { PagedList } from '../lists/use-paged-list.ts'
import { VirtualList } from '../lists/VirtualList.tsx'
import { useStaff } from '../use-staff.ts'
import { useDraft } from './drafts.ts'
import type { ShownList } from './use-threads.ts'

interface ThreadListProps {
  threads: PagedList<ChatThread>
  selected: string | undefined
  onSelect: (id: string) => void
  show: ShownList
  onShow: (show: ShownList) => void
  q: string
  onSearch: (q: string) => void
  onKeys: () => void
  className?: string
}

const lists: Readonly<Record<ShownList, string>> = {
  open: 'Open',
  unread: 'Unread',
  mine: 'Mine',
  snoozed: 'Snoozed',
  closed: 'Closed',
  all: 'All',
}

export function isShownList(text: string | undefined): text is ShownList {
  return text !== undefined && Object.hasOwn(lists, text)
}

export function ThreadList(props: ThreadListProps) {
  const { threads, selected, onSelect, show, onShow, q, onSearch, onKeys, className } = props
  const counts: Partial<Record<ShownList, number>> = useQuery(read(routes.chatCounts, {})).data ?? {}
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
          <KeyButton
            action="help"
            variant="quiet"
            size="sm"
            onClick={onKeys}
            icon={<Keyboard />}
            className={cx('-my-1 ml-auto', useShortcutsOn() && 'hidden pointer-fine:inline-flex')}
          >
            Keys
          </KeyButton>
        </h2>
        <SearchField
          label="Search conversations"
          placeholder="Search conversations..."
          value={q}
          onChange={onSearch}
        />
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">Show</legend>
          {(Object.keys(lists) as ShownList[]).map((list) => (
            <button
              key={list}
              type="button"
              aria-pressed={list === show}
              onClick={() => onShow(list)}
              className={cx(
                'min-h-11 rounded-full px-3 font-medium text-sm md:min-h-8',
                list === show ? 'bg-accent-quiet text-accent' : 'text-soft hover:bg-sunken hover:text-ink',
              )}
            >
              {lists[list]}
              <Count count={counts[list]} />
            </button>
          ))}
        </fieldset>
      </div>
      <VirtualList
        list={threads}
        noun="conversations"
        rowRem={ROW_REM}
        openId={selected}
        empty={
          <div className="grid justify-items-center gap-2 p-3">
            <p role="status" className="text-soft">
              {q || show === 'all' ? 'No conversations found' : empty[show]}
            </p>
            {q && show !== 'all' && (
              <Button variant="secondary" size="sm" onClick={() => onShow('all')}>
                Search all conversations
              </Button>
            )}
          </div>
        }
      >
        {(thread) => <ThreadRow thread={thread} open={thread.id === selected} onSelect={onSelect} />}
      </VirtualList>
    </section>
  )
}

function Count({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null
  return <span className="figures ml-1.5 text-xs">{count < MAX_COUNTED ? count : `${MAX_COUNTED - 1}+`}</span>
}

const empty: Readonly<Record<ThreadListName, string>> = {
  open: 'No open conversations',
  unread: 'Nothing is unread',
  mine: 'No open conversation is assigned to you',
  snoozed: 'Nothing is snoozed',
  closed: 'No closed conversations',
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
      <span className="flex items-baseline justify-between gap-3 text-soft text-sm">
        <span className="truncate">{userEmail}</span>
        <Mark thread={thread} />
      </span>
      <span className="flex items-baseline justify-between gap-3 text-sm">
        <Preview thread={thread} />
        <ChatTime at={lastMessageTime} />
      </span>
    </button>
  )
})

/** Until when it is snoozed, that it is closed, or who looks after it. */
function Mark({ thread: { state, snoozedUntil, assignedTo } }: { thread: ChatThread }) {
  const { admin } = useStaff()
  if (snoozedUntil) {
    return (
      <span className="flex shrink-0 items-center gap-1 text-xs">
        <AlarmClock className="size-3.5" />
        <span className="sr-only">Snoozed until </span>
        <Time at={snoozedUntil} as="dateTime24" />
      </span>
    )
  }
  if (state === 'closed') return <span className="shrink-0 text-xs">Closed</span>
  if (!assignedTo) return null
  return (
    <span className="flex max-w-1/2 shrink-0 items-center gap-1 text-xs">
      <UserRound className="size-3.5 shrink-0" />
      <span className="sr-only">Assigned to </span>
      <span className="truncate">{assignedTo.id === admin.id ? 'you' : assignedTo.username}</span>
    </span>
  )
}

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
