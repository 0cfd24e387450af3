import { CircleAlert } from 'lucide-react'
import { cx } from '#web/kit/cx.ts'
import { chatTime } from './chat-time.ts'
import type { ShownMessage } from './message.ts'

interface BubbleProps {
  message: ShownMessage
  onRetry?: (key: string) => void
}

/** One message: one's own on the right in the accent, the other side's on the left. */
export function Bubble({ message, onRetry }: BubbleProps) {
  const { mine, name, text, state } = message
  return (
    <li className={cx('flex flex-col gap-1', mine ? 'items-end' : 'items-start')}>
      {name && (
        <span dir="auto" className="max-w-full truncate px-1 text-soft text-xs">
          {name}
        </span>
      )}
      <p
        // A message in Arabic or Hebrew reads from its own side.
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
  if (state === 'sending') return <span className="px-1 text-soft text-xs">Sending...</span>
  if (state === 'stored') {
    return (
      <time dateTime={at} className="figures px-1 text-soft text-xs">
        {chatTime(at)}
      </time>
    )
  }
  return (
    <span className="flex items-center gap-1.5 px-1 font-medium text-negative text-xs">
      <CircleAlert aria-hidden="true" className="size-3.5 shrink-0" />
      Not sent
      {onRetry && (
        <button
          type="button"
          onClick={() => onRetry(key)}
          className="min-h-11 px-2 underline underline-offset-4 md:min-h-8"
        >
          Try again
        </button>
      )}
    </span>
  )
}
