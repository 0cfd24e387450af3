import { useQuery } from '@tanstack/react-query'
import { AlarmClock, Hourglass, Reply, UserRound } from 'lucide-react'
import { memo } from 'react'
import { routes } from '#contract/routes.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { showCount } from '#domain/counting.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Select } from '#web/kit/SelectField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { useNow } from '#web/wire/use-now.ts'
import { LanguageBadge } from '../facts/badges.tsx'
import { type Density, DensitySwitch, useDensity } from '../list/density.tsx'
import { List } from '../list/List.tsx'
import { SearchField } from '../list/SearchField.tsx'
import type { PagedList } from '../list/use-paged-list.ts'
import { useDraft } from '../shell/drafts.ts'
import { KeyHint, KeysButton } from '../shell/keys/KeyHint.tsx'
import { RelativeTime } from '../shell/RelativeTime.tsx'
import { useStaff } from '../shell/use-staff.ts'
import type { ShownList } from './use-threads.ts'

interface ThreadListProps {
  threads: PagedList<ChatThread>
  selected: string | undefined
  onSelect: (id: string) => void
  show: ShownList
  onShow: (show: ShownList) => void
  q: string
  onSearch: (q: string) => void
  sort: 'waiting' | 'newest'
  onSort: (sort: 'waiting' | 'newest') => void
  onKeys: () => void
  className?: string
}

const lists: Readonly<Record<ShownList, string>> = {
  open: 'Open',
  waiting: 'Waiting for a reply',
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
  const { threads, selected, onSelect, show, onShow, q, onSearch, sort, onSort, onKeys, className } = props
  const density = useDensity()
  const counts: Partial<Record<ShownList, number>> = useQuery(read(routes.chatCounts, {})).data ?? {}
  return (
    <List
      noun="conversation"
      label="Conversations"
      list={threads}
      rowRem={rowRem}
      openId={selected}
      row={(thread) => (
        <ThreadRow
          thread={thread}
          open={thread.id === selected}
          compact={density === 'compact'}
          onSelect={onSelect}
        />
      )}
      bar={
        <div className="grid gap-2.5 border-line border-b p-3">
          <h2 className="flex items-center gap-2 px-1 text-base">
            Conversations
            {threads.query.isSuccess && (
              <span className="figures rounded-chip bg-neutral-quiet px-2 py-0.5 text-neutral text-xs">
                {showCount(threads.total)}
              </span>
            )}
            <span className="ml-auto flex">
              <DensitySwitch />
            </span>
          </h2>
          <SearchField
            label="Search conversations"
            placeholder="Search conversations..."
            value={q}
            onChange={onSearch}
          />
          <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2">
            <Select
              aria-label="Show"
              value={show}
              onChange={({ currentTarget: { value } }) => isShownList(value) && onShow(value)}
              choices={(Object.keys(lists) as ShownList[]).map((list) => ({
                value: list,
                label: `${lists[list]}${sayCount(counts[list])}`,
              }))}
              className={smallSelect}
            />
            <Select
              aria-label="Order"
              value={sort}
              onChange={({ currentTarget: { value } }) => onSort(value === 'waiting' ? value : 'newest')}
              choices={[
                { value: 'newest', label: 'Newest first' },
                { value: 'waiting', label: 'Longest waiting' },
              ]}
              className={smallSelect}
            />
          </div>
        </div>
      }
      empty={
        <div className="grid justify-items-center gap-2 p-3">
          <p role="status" className="text-soft">
            No conversations found
          </p>
          {q && (
            <p className="text-center text-soft text-sm">
              The search does not read messages. It finds names, emails and the references of sellers.
            </p>
          )}
          {q && show !== 'all' && (
            <Button variant="secondary" size="sm" onClick={() => onShow('all')}>
              Search all conversations
            </Button>
          )}
        </div>
      }
      foot={
        <footer className="hidden items-center gap-3 border-line border-t px-3 py-1 text-soft text-xs pointer-fine:flex">
          <span className="max-sm:hidden">
            <KeyHint action="chatNext" /> <KeyHint action="chatPrevious" /> Next, previous
          </span>
          <KeysButton size="sm" onClick={onKeys} className="-mr-2 ml-auto" />
        </footer>
      }
      className={cx(
        'flex min-h-0 min-w-0 flex-col overflow-hidden border-line md:border-r md:max-lg:[&_input]:text-sm',
        className,
      )}
    />
  )
}

const smallSelect = 'pr-8 md:min-h-9 md:py-1 md:pl-2.5 md:text-sm'

function sayCount(count = 0): string {
  if (count === 0) return ''
  return ` (${showCount(count)})`
}

interface ThreadRowProps {
  thread: ChatThread
  open: boolean
  /** Hides the line with the email address. */
  compact: boolean
  onSelect: (id: string) => void
}

/** Every row has three lines, or two if compact, each truncated. */
const rowRem: Readonly<Record<Density, number>> = { comfortable: 5.5, compact: 3.75 }

const ThreadRow = memo(function ThreadRow({ thread, open, compact, onSelect }: ThreadRowProps) {
  const { username, userEmail, type, locale, lastMessageTime, unreadCount } = thread
  const isUnread = unreadCount > 0
  return (
    <button
      type="button"
      aria-current={open ? 'true' : undefined}
      onClick={() => onSelect(thread.id)}
      className={cx(
        'grid h-full w-full grid-cols-[minmax(0,1fr)] content-center gap-0.5 pr-4 text-left focus-visible:-outline-offset-2',
        open ? 'border-accent border-l-4 bg-accent-quiet pl-3' : 'pl-4 hover:bg-sunken',
      )}
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="flex min-w-0 items-baseline gap-2">
          <span dir="auto" className={cx('truncate', isUnread ? 'font-semibold' : 'font-medium')}>
            {username}
          </span>
          <LanguageBadge locale={locale} />
        </span>
        <span className="shrink-0 text-soft text-xs">
          <Time at={lastMessageTime} as="dateTime24" />
        </span>
      </span>
      <span className="flex items-center justify-between gap-3 text-sm">
        <Preview thread={thread} />
        <span className="flex shrink-0 items-center gap-2 text-soft text-xs empty:hidden">
          {compact && <Mark thread={thread} />}
          {isUnread && (
            <span className="figures rounded-full bg-accent px-2 font-semibold text-on-accent leading-5">
              {unreadCount}
              <span className="sr-only"> unread</span>
            </span>
          )}
        </span>
      </span>
      {!compact && (
        <span className="flex items-center justify-between gap-3 text-soft text-xs">
          <span className="min-w-0 truncate">
            {type === 'contact' && 'Visitor · '}
            {userEmail}
          </span>
          <Mark thread={thread} />
        </span>
      )}
    </button>
  )
})

/** The end of its snooze, or "Closed", or its assignee and how long the customer has waited. */
function Mark({ thread: { state, snoozedUntil, assignedTo, waitingSince } }: { thread: ChatThread }) {
  const { admin } = useStaff()
  if (snoozedUntil) {
    return (
      <span className="flex shrink-0 items-center gap-1">
        <AlarmClock className="size-3.5" />
        <span className="sr-only">Snoozed until </span>
        <Time at={snoozedUntil} as="dateTime24" />
      </span>
    )
  }
  if (state === 'closed') return <span className="shrink-0">Closed</span>
  return (
    <span className="flex max-w-2/3 shrink-0 items-center gap-3">
      {assignedTo && (
        <span className="flex min-w-0 items-center gap-1">
          <UserRound className="size-3.5 shrink-0" />
          <span className="sr-only">Assigned to </span>
          <span className="truncate">{assignedTo.id === admin.id ? 'you' : assignedTo.username}</span>
        </span>
      )}
      {waitingSince && <WaitingTime since={waitingSince} />}
    </span>
  )
}

/** A customer who has waited this long is marked more strongly. */
const LONG_WAIT_MS = 4 * 3_600_000

/** How long the customer has waited for a reply. */
export function WaitingTime({ since }: { since: string }) {
  const isLong = useNow(60_000) - Date.parse(since) >= LONG_WAIT_MS
  return (
    <span
      title="Waiting for a reply"
      className={cx(
        'flex shrink-0 items-center gap-1 text-xs',
        isLong ? 'font-semibold text-negative' : 'font-medium text-caution',
      )}
    >
      <Hourglass className="size-3.5" />
      <span className="sr-only">Waiting for </span>
      <RelativeTime at={since} short />
    </span>
  )
}

/** Who is answering, or else your draft, or else the last message. */
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
      <bdi>{lastMessage || 'Photo'}</bdi>
    </span>
  )
}
