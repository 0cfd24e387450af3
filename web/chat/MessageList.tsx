import { ArrowDown, CircleAlert } from 'lucide-react'
import { type ReactNode, type UIEvent, useMemo } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Progress } from '#web/kit/Progress.tsx'
import { Time } from '#web/kit/Time.tsx'
import { useNow } from '#web/wire/use-now.ts'
import { useWords } from '#web/words/words.ts'
import { intlLocales, type Locale } from '#words/locales.ts'
import { type Day, groupMessages, type ShownMessage } from './message.ts'
import { useFollowNewest } from './use-follow-newest.ts'

/** Milliseconds until it is noticed that "today" has become "yesterday". */
const MINUTE = 60_000

/** Pixels from the top at which older messages are fetched. */
const NEAR_THE_TOP = 200

interface MessageListProps {
  /** The list's accessible name: "Messages with support". */
  label: string
  messages: readonly ShownMessage[]
  /** Shown instead of the messages while there are none. */
  empty: ReactNode
  /** Shown below the messages: what the reader is waiting for. */
  waiting?: ReactNode
  onRetry?: (key: string) => void
  /** Shows the photos of a message above its text. */
  renderPhotos?: (message: ShownMessage) => ReactNode
  /** What the reader can do with a message, below its text. */
  renderAction?: (message: ShownMessage) => ReactNode
  showOlder?: (() => void) | undefined
  showingOlder?: boolean
  /** Older messages failed to load. They are fetched again on request, not by scrolling. */
  olderFailed?: boolean
}

/** The messages in a scrolling box that follows the newest one. */
export function MessageList(props: MessageListProps) {
  const { label, messages, empty, waiting, onRetry, renderPhotos, renderAction } = props
  const { showOlder, showingOlder, olderFailed } = props
  const t = useWords()
  const { box, onScroll, away, toNewest } = useFollowNewest(messages)
  const days = useMemo(() => groupMessages(messages), [messages])
  const today = new Date(useNow(MINUTE)).setHours(0, 0, 0, 0)
  function scroll({ currentTarget }: UIEvent<HTMLElement>) {
    onScroll()
    if (currentTarget.scrollTop < NEAR_THE_TOP && !showingOlder && !olderFailed) showOlder?.()
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {/* Screen readers announce new messages of a log. */}
      <div
        ref={box}
        role="log"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        tabIndex={0}
        onScroll={scroll}
        // Turns off overflow-anchor, which would interfere with useFollowNewest.
        className="flex flex-1 flex-col overflow-y-auto p-4 [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        {showOlder && (
          <p className="pb-4 text-center">
            <Button variant="quiet" size="sm" loading={showingOlder ?? false} onClick={showOlder}>
              {t(olderFailed ? 'chat.older.failed' : 'chat.older.show')}
            </Button>
          </p>
        )}
        {messages.length === 0 ? (
          <div className="grid h-full content-center justify-items-center p-4 text-center text-soft">
            {empty}
          </div>
        ) : (
          // A few messages go to the bottom, next to the text field.
          <div className="mt-auto grid grid-cols-1 gap-4">
            {days.map((day) => (
              <DayOfMessages
                key={day.start.getTime()}
                day={day}
                today={today}
                renderPhotos={renderPhotos}
                renderAction={renderAction}
                {...(onRetry && { onRetry })}
              />
            ))}
          </div>
        )}
        {messages.length > 0 && waiting && (
          <div className="text-balance pt-4 text-center text-soft text-sm">{waiting}</div>
        )}
      </div>
      {away && (
        <Button
          variant="secondary"
          size="sm"
          onClick={toNewest}
          icon={<ArrowDown aria-hidden="true" className="size-4" />}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-raised"
        >
          {t('chat.newest')}
        </Button>
      )}
    </div>
  )
}

function DayOfMessages({ day: { start, runs }, today, renderPhotos, renderAction, onRetry }: DayProps) {
  const { locale } = useWords()
  return (
    <>
      <div className="flex items-center gap-3 text-soft text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        <span className="first-letter:uppercase">{nameDay(start, today, locale)}</span>
      </div>
      <ol className="grid grid-cols-1 gap-4">
        {runs.flatMap((run) =>
          run.map((message, index) => (
            <Bubble
              key={message.key}
              message={message}
              isFirst={index === 0}
              isLast={index === run.length - 1}
              photos={renderPhotos?.(message)}
              action={renderAction?.(message)}
              {...(onRetry && { onRetry })}
            />
          )),
        )}
      </ol>
    </>
  )
}

interface DayProps extends OnRetry {
  renderPhotos: MessageListProps['renderPhotos']
  renderAction: MessageListProps['renderAction']
  day: Day
  today: number
}

/** "today", "yesterday", "Thursday, March 5" or "March 5, 2025" */
function nameDay(day: Date, today: number, locale: Locale): string {
  const ago = Math.round((today - day.getTime()) / 86_400_000)
  if (ago < 2)
    return new Intl.RelativeTimeFormat(intlLocales[locale], { numeric: 'auto' }).format(-ago, 'day')
  const isThisYear = day.getFullYear() === new Date(today).getFullYear()
  const style = isThisYear ? ({ weekday: 'long' } as const) : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat(intlLocales[locale], { month: 'long', day: 'numeric', ...style }).format(day)
}

interface BubbleProps extends OnRetry {
  message: ShownMessage
  /** Of its run. */
  isFirst: boolean
  isLast: boolean
  photos: ReactNode
  action: ReactNode
}

/** One message: the reader's own on the right, the other side's on the left. */
function Bubble({ message, isFirst, isLast, photos, action, onRetry }: BubbleProps) {
  const { mine, name, text, state, seen } = message
  return (
    <li className={cx('flex flex-col gap-1', mine ? 'items-end' : 'items-start', !isFirst && '-mt-3')}>
      {name && (
        <span dir="auto" className={cx('max-w-full truncate px-1 text-soft text-xs', !isFirst && 'sr-only')}>
          {name}
        </span>
      )}
      {photos}
      {text && (
        <p
          // For messages in Arabic or Hebrew.
          dir="auto"
          className={cx(
            'max-w-[min(85%,42rem)] whitespace-pre-wrap rounded-lg border border-transparent px-3.5 py-2 wrap-anywhere',
            mine ? 'bg-accent text-on-accent' : 'bg-sunken',
            isLast && (mine ? 'rounded-br-sm' : 'rounded-bl-sm'),
            state === 'sending' && 'opacity-70',
          )}
        >
          <LinkedText>{text}</LinkedText>
        </p>
      )}
      {action}
      <Status message={message} isQuiet={!isLast && !seen} {...(onRetry && { onRetry })} />
    </li>
  )
}

const LINK = /(https?:\/\/[^\s<>"]*[^\s<>"'.,:;!?)\]])/

/** Text with its web addresses as links. */
function LinkedText({ children }: { children: string }) {
  // Splitting by a group keeps what it matches, at the odd positions.
  return children.split(LINK).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a
        key={index}
        href={part}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="underline underline-offset-2"
      >
        {part}
      </a>
    ),
  )
}

/** @param isQuiet for screen readers only, because a later message of the run shows its time */
function Status({ message: { key, at, state, seen, share }, isQuiet, onRetry }: StatusProps) {
  const t = useWords()
  if (state === 'sending' && share !== undefined) {
    return (
      <span className="w-28 py-1">
        <Progress share={share} label={t('chat.sending')} />
      </span>
    )
  }
  if (state === 'sending') return <span className="px-1 text-soft text-xs">{t('chat.sending')}</span>
  if (state === 'stored') {
    return (
      <span className={cx('px-1 text-soft text-xs', isQuiet && 'sr-only')}>
        <Time at={at} as="dateTime24" />
        {seen && <span> · {t('chat.seen')}</span>}
      </span>
    )
  }
  return (
    <span className="flex items-center gap-1.5 px-1 font-medium text-negative text-xs">
      <CircleAlert aria-hidden="true" className="size-3.5 shrink-0" />
      {t('chat.notSent')}
      {onRetry && (
        <button
          type="button"
          onClick={() => onRetry(key)}
          className="min-h-11 px-2 underline underline-offset-4 md:min-h-8"
        >
          {t('chat.retry')}
        </button>
      )}
    </span>
  )
}

interface StatusProps extends OnRetry {
  message: ShownMessage
  isQuiet: boolean
}

interface OnRetry {
  onRetry?: (key: string) => void
}
