import { cx } from '../../ui/cx.ts'

/** "Mar 5, 14:30" (spec section 9). */
const format = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

export function ChatTime({ at, className = 'text-soft' }: { at: string; className?: string }) {
  return (
    <time dateTime={at} className={cx('figures whitespace-nowrap text-xs', className)}>
      {format.format(new Date(at))}
    </time>
  )
}
