import { type PointerEvent, type ReactElement, useState } from 'react'
import { once } from '#web/kit/once.ts'
import { Time } from '#web/kit/Time.tsx'
import { useNow } from '#web/wire/use-now.ts'
import { useWords } from '#web/words/words.ts'
import { ago } from '#words/ago.ts'

/** How long ago something happened. The exact time is shown on hover, or on touch instead. */
export function RelativeTime({ at, short = false }: { at: string; short?: boolean }) {
  const t = useWords()
  const now = useNow(10_000)
  // The server's clock may be a little ahead of this one.
  const passed = Math.max(0, now - Date.parse(at))
  return <ExactTime at={at}>{short ? shortly(passed) : ago(t, passed)}</ExactTime>
}

/**
 * The time of today, or an earlier date. With `as`: always the same, so that a column has one format. Earlier years are
 * always dates. The exact time is shown on hover, or on touch instead.
 */
export function When({ at, as }: { at: string; as?: 'day' | 'dateTime' }) {
  const now = new Date()
  const time = new Date(at)
  const isToday = time.toDateString() === now.toDateString()
  const isThisYear = time.getFullYear() === now.getFullYear()
  return (
    <ExactTime at={at}>
      <Time at={at} as={isThisYear ? (as ?? (isToday ? 'time' : 'day')) : 'date'} />
    </ExactTime>
  )
}

const exact = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' }))

function ExactTime({ at, children }: { at: string; children: string | ReactElement }) {
  const [isExact, showExact] = useState(false)
  /** Formats the exact time only when asked: formatting it for every row makes a long list scroll slowly. */
  function onPointerEnter({ currentTarget, pointerType }: PointerEvent<HTMLElement>) {
    if (pointerType === 'touch') showExact(!isExact)
    else currentTarget.title = exact().format(new Date(at))
  }
  return (
    <time dateTime={at} onPointerEnter={onPointerEnter} className="figures whitespace-nowrap">
      {isExact ? exact().format(new Date(at)) : children}
    </time>
  )
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

/** "3 min", or "now" for less than a minute. */
function shortly(milliseconds: number): string {
  const [unit, length] = units.find(([, length]) => milliseconds >= length) ?? []
  return length ? `${Math.floor(milliseconds / length)} ${unit}` : 'now'
}
