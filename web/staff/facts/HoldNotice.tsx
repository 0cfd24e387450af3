import { Notice } from '#web/kit/Notice.tsx'
import { timeText } from '#web/kit/Time.tsx'

/** Says beside a payment by hand that the payout is still on hold, because its account was changed. */
export function HoldNotice({ until }: { until: string }) {
  return (
    <Notice tone="caution" title={`This payout is on hold until ${timeText('en', until, 'dateTime')}`}>
      Its account was changed. Paying by hand goes around the hold.
    </Notice>
  )
}
