import type { PointerEvent } from 'react'
import { once } from '#web/kit/once.ts'
import { useNow } from '#web/wire/use-now.ts'
import { useWords } from '#web/words/words.ts'
import { ago } from '#words/ago.ts'

const exact = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' }))

/** How long ago something happened. Hovering shows the exact time. */
export function RelativeTime({ at, short = false }: { at: string; short?: boolean }) {
  const t = useWords()
  const now = useNow(10_000)
  const time = new Date(at)
  // The server's clock may be a little ahead of this one.
  const passed = Math.max(0, now - time.getTime())
  return (
    <time dateTime={at} onPointerEnter={showExactTime} className="figures whitespace-nowrap">
      {short ? shortly(passed) : ago(t, passed)}
    </time>
  )
}

/** Formats the exact time on hover only: formatting it for every row makes a long list scroll slowly. */
function showExactTime({ currentTarget: time }: PointerEvent<HTMLTimeElement>): void {
  time.title = exact().format(new Date(time.dateTime))
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
