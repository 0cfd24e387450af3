import type { Earnings } from '#contract/submissions.ts'
import { Money } from '../../ui/Money.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

/** What was earned stands out; the counts beside it are smaller. */
export function Summary({ earnings }: { earnings: Earnings | undefined }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 rounded-lg border border-line bg-surface p-5 md:grid-cols-[2fr_1fr_1fr] md:items-end md:p-7">
      <div className="col-span-2 grid gap-1 md:col-span-1">
        <dt className="text-soft">Total Earned</dt>
        <dd>
          {earnings ? (
            <Money amount={earnings.totalEarned} size="figure" className="text-accent" />
          ) : (
            <Skeleton className="h-14 w-48" />
          )}
        </dd>
      </div>
      <Count name="Total Transactions" count={earnings?.totalTransactions} />
      <Count name="Pending" count={earnings?.pendingCount} />
    </dl>
  )
}

function Count({ name, count }: { name: string; count: number | undefined }) {
  return (
    <div className="grid gap-1">
      <dt className="text-soft">{name}</dt>
      <dd className="figures font-semibold text-2xl">{count ?? <Skeleton className="h-8 w-12" />}</dd>
    </div>
  )
}
