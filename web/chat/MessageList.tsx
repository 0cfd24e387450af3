import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Bubble } from './Bubble.tsx'
import type { ShownMessage } from './message.ts'

/** So close to the end (in pixels) counts as reading along; further up somebody is reading what was said before. */
const READING_ALONG = 120

interface MessageListProps {
  /** What is read here, for a screen reader: "Messages with support". */
  label: string
  messages: readonly ShownMessage[]
  /** In place of the messages while there are none. */
  empty: ReactNode
  /** Below the messages: what is being waited for. */
  waiting?: ReactNode
  onRetry?: (key: string) => void
  showOlder?: (() => void) | undefined
  showingOlder?: boolean
  className?: string
}

/** The messages in a box that scrolls by itself and goes along with the newest one. */
export function MessageList(props: MessageListProps) {
  const { label, messages, empty, waiting, onRetry, showOlder, showingOlder, className } = props
  const box = useReadingAlong(messages)
  return (
    // A log: what arrives is read out.
    <div
      ref={box}
      role="log"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached without a mouse
      tabIndex={0}
      className={cx('overflow-y-auto p-4', className)}
    >
      {showOlder && (
        <p className="pb-4 text-center">
          <Button variant="quiet" size="sm" loading={showingOlder ?? false} onClick={showOlder}>
            Show earlier messages
          </Button>
        </p>
      )}
      {messages.length === 0 ? (
        <div className="grid h-full content-center justify-items-center p-4 text-center text-soft">
          {empty}
        </div>
      ) : (
        <ol className="grid grid-cols-1 gap-4">
          {messages.map((message) => (
            <Bubble key={message.key} message={message} {...(onRetry && { onRetry })} />
          ))}
        </ol>
      )}
      {messages.length > 0 && waiting && <div className="pt-4 text-center text-soft text-sm">{waiting}</div>}
    </div>
  )
}

/** Scrolls to the newest message, unless somebody has scrolled up to read; one's own always shows. */
function useReadingAlong(messages: readonly ShownMessage[]) {
  const box = useRef<HTMLDivElement>(null)
  const seen = useRef<{ last: string | undefined; first: string | undefined; height: number }>(undefined)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const first = messages[0]?.key
    const last = messages.at(-1)
    const before = seen.current
    const fromEnd = element.scrollHeight - element.scrollTop - element.clientHeight
    if (before && before.first !== first && before.last === last?.key) {
      // Older ones came in above: what was being read stays where it is.
      element.scrollTop += element.scrollHeight - before.height
    } else if (!before || (before.last !== last?.key && (last?.mine || isNear(fromEnd, element, before)))) {
      element.scrollTop = element.scrollHeight
    }
    seen.current = { first, last: last?.key, height: element.scrollHeight }
  }, [messages])
  return box
}

// By how much the list has grown doesn't count as scrolled up.
function isNear(fromEnd: number, { scrollHeight }: HTMLElement, before: { height: number }): boolean {
  return fromEnd - (scrollHeight - before.height) < READING_ALONG
}
