import type { Earnings } from '#contract/submissions.ts'
import { Money } from '#web/kit/Money.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'

/** What was earned stands out; the counts beside it are smaller. */
export function Summary({ earnings, failed }: { earnings: Earnings | undefined; failed: boolean }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 rounded-lg border border-line bg-surface p-5 md:grid-cols-[2fr_1fr_1fr] md:items-end md:p-7">
      <div className="col-span-2 grid gap-1 md:col-span-1">
        <dt className="text-soft">Total Earned</dt>
        <dd>
          {earnings ? (
            <Money amount={earnings.totalEarned} size="figure" className="text-accent" />
          ) : (
            <div className="font-semibold text-2xl">
              <Missing failed={failed} className="h-14 w-48" />
            </div>
          )}
        </dd>
      </div>
      <Count name="Total Transactions" count={earnings?.totalTransactions} failed={failed} />
      <Count name="Pending" count={earnings?.pendingCount} failed={failed} />
    </dl>
  )
}

function Count({ name, count, failed }: { name: string; count: number | undefined; failed: boolean }) {
  return (
    <div className="grid gap-1">
      <dt className="text-soft">{name}</dt>
      <dd className="figures font-semibold text-2xl">
        {count ?? <Missing failed={failed} className="h-8 w-12" />}
      </dd>
    </div>
  )
}

/** On its way, or not to be had: the list below says why and offers to try again. */
function Missing({ failed, className }: { failed: boolean; className: string }) {
  if (!failed) return <Skeleton className={className} />
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">Not available</span>
    </>
  )
}
