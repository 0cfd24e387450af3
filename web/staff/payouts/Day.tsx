import { once } from '#web/kit/once.ts'

const format = once(
  () =>
    new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' }),
)

/** A date without a time, which is the same in every time zone. */
export function Day({ on }: { on: string }) {
  return <time dateTime={on}>{format().format(new Date(on))}</time>
}
