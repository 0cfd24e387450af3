import type { PointerEvent } from 'react'
import { ago } from '#domain/ago.ts'
import { once } from '#web/kit/once.ts'

const exact = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' }))

/** How long ago something was; pointing at it tells when exactly. */
export function RelativeTime({ at, now, short = false }: { at: string; now: number; short?: boolean }) {
  const time = new Date(at)
  // The server's clock may be a little ahead of this one.
  const passed = Math.max(0, now - time.getTime())
  return (
    <time dateTime={at} onPointerEnter={tellExactly} className="figures whitespace-nowrap">
      {short ? shortly(passed) : ago(passed)}
    </time>
  )
}

/** Not written before it is read: in a list that scrolls it would be most of the work. */
function tellExactly({ currentTarget: time }: PointerEvent<HTMLTimeElement>): void {
  time.title = exact().format(new Date(time.dateTime))
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const

/** For lists: "3 min", and for less than a minute "now". */
function shortly(milliseconds: number): string {
  const [unit, length] = units.find(([, length]) => milliseconds >= length) ?? []
  return length ? `${Math.floor(milliseconds / length)} ${unit}` : 'now'
}
