import { ago } from './ago.ts'

const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })

/** How long ago something was; pointing at it tells when exactly. */
export function RelativeTime({ at, now, short = false }: { at: string; now: number; short?: boolean }) {
  const time = new Date(at)
  return (
    <time dateTime={at} title={exact.format(time)} className="figures whitespace-nowrap">
      {ago(time.getTime(), now, short)}
    </time>
  )
}
