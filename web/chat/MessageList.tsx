import { ArrowDown, CircleAlert } from 'lucide-react'
import type { ReactNode, UIEvent } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Time } from '#web/kit/Time.tsx'
import { useWords } from '#web/words/words.ts'
import type { ShownMessage } from './message.ts'
import { useFollowNewest } from './use-follow-newest.ts'

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
  showOlder?: (() => void) | undefined
  showingOlder?: boolean
  /** Older messages failed to load. They are fetched again on request, not by scrolling. */
  olderFailed?: boolean
  className?: string
}

/** The messages in a scrolling box that follows the newest one. */
export function MessageList(props: MessageListProps) {
  const { label, messages, empty, waiting, onRetry, showOlder, showingOlder, olderFailed, className } = props
  const t = useWords()
  const { box, onScroll, away, toNewest } = useFollowNewest(messages)
  function scroll({ currentTarget }: UIEvent<HTMLElement>) {
    onScroll()
    if (currentTarget.scrollTop < NEAR_THE_TOP && !showingOlder && !olderFailed) showOlder?.()
  }
  return (
    <div className={cx('relative flex min-h-0 flex-col', className)}>
      {/* Screen readers announce new messages of a log. */}
      <div
        ref={box}
        role="log"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        tabIndex={0}
        onScroll={scroll}
        // Without overflow-anchor, which would interfere with useFollowNewest.
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
          <ol className="mt-auto grid grid-cols-1 gap-4">
            {messages.map((message) => (
              <Bubble key={message.key} message={message} {...(onRetry && { onRetry })} />
            ))}
          </ol>
        )}
        {messages.length > 0 && waiting && (
          <div className="pt-4 text-center text-soft text-sm">{waiting}</div>
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

/** One message: the reader's own on the right, the other side's on the left. */
function Bubble({ message, onRetry }: BubbleProps) {
  const { mine, name, text, state } = message
  return (
    <li className={cx('flex flex-col gap-1', mine ? 'items-end' : 'items-start')}>
      {name && (
        <span dir="auto" className="max-w-full truncate px-1 text-soft text-xs">
          {name}
        </span>
      )}
      <p
        // For messages in Arabic or Hebrew.
        dir="auto"
        className={cx(
          'max-w-[min(85%,42rem)] whitespace-pre-wrap rounded-lg px-3.5 py-2.5 wrap-anywhere',
          mine ? 'rounded-br-sm bg-accent text-on-accent' : 'rounded-bl-sm bg-sunken',
          state === 'sending' && 'opacity-70',
        )}
      >
        {text}
      </p>
      <Status message={message} {...(onRetry && { onRetry })} />
    </li>
  )
}

function Status({ message: { key, at, state }, onRetry }: BubbleProps) {
  const t = useWords()
  if (state === 'sending') return <span className="px-1 text-soft text-xs">{t('chat.sending')}</span>
  if (state === 'stored') {
    return (
      <span className="px-1 text-soft text-xs">
        <Time at={at} as="dateTime24" />
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

interface BubbleProps {
  message: ShownMessage
  onRetry?: (key: string) => void
}
