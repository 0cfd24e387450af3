import { once } from './once.ts'

const format = (how: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat('en-US', how))

const formats = {
  date: format({ dateStyle: 'medium' }),
  dateTime: format({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }),
  /** To the second, where order matters. */
  clock: format({ timeStyle: 'medium' }),
} as const

/** A time from the server, in the reader's time zone. */
export function Time({ at, as = 'date' }: { at: string; as?: keyof typeof formats }) {
  return (
    <time dateTime={at} className="figures whitespace-nowrap">
      {formats[as]().format(new Date(at))}
    </time>
  )
}
