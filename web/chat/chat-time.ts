import { once } from '#web/kit/once.ts'

/** "Mar 5, 14:30" (spec section 9), in the reader's time zone. */
const format = once(
  () =>
    new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
)

export function chatTime(at: string): string {
  return format().format(new Date(at))
}
