import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { Notice } from '#web/kit/Notice.tsx'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'

/** After a restore, what was sent since the backup is due again, so nothing leaves until it is recorded. */
export function PayoutStop() {
  const { data: stop } = useQuery(read(routes.payoutStop, {}))
  if (!stop?.stoppedAt) return null
  return (
    <div className="shrink-0 px-4 pt-4 lg:px-6">
      <Notice tone="caution" title="Payouts are stopped: a backup was restored">
        {stop.backupMadeAt ? (
          <>
            The backup is of <Time at={stop.backupMadeAt} as="dateTime" />. Payouts that were sent since then
          </>
        ) : (
          'Payouts that were sent after the backup'
        )}{' '}
        are due again. Look for each on the statements of your bank and PayPal, and mark it as paid with its
        reference. Then ask the person who runs the server to resume payouts.
      </Notice>
    </div>
  )
}
