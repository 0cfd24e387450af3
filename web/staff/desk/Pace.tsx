import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { routes } from '#contract/routes.ts'
import { addDays, type Range } from '#domain/reports.ts'
import { Link } from '#web/kit/router/index.ts'
import { read, refresh } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { throttle } from '../shell/throttle.ts'
import { useToday } from '../shell/use-today.ts'

const DAYS = 14
/** The reports read 14 days, so a flood of changes refetches them only this often. */
const REFETCH_MS = 5000

/** Whether the desk keeps up: the cards received and decided on each of the last days. Leads to the reports. */
export function Pace() {
  const to = useToday()
  const range: Range = { from: addDays(to, 1 - DAYS), to, by: 'day' }
  const received = useCounts('volume', 'submissions', range)
  const decided = useCounts('decision_time', 'decisions', range)
  useRefetchWithQueue()
  if (!received || !decided) return null
  const [receivedToday, decidedToday] = [received.at(-1) ?? 0, decided.at(-1) ?? 0]
  const [allReceived, allDecided] = [sum(received), sum(decided)]
  const all = `The last ${DAYS} days: ${allReceived} received, ${allDecided} decided`
  return (
    <Link
      to={paths.adminReports}
      title={all}
      className="flex h-9 shrink-0 items-center gap-3 rounded-md px-2 text-soft text-xs hover:bg-sunken hover:text-ink"
    >
      <Columns received={received} decided={decided} />
      <span className="grid leading-4">
        <Today className="bg-control" count={receivedToday} what="received today" />
        <Today className="bg-accent" count={decidedToday} what="decided today" />
      </span>
      <span className="sr-only">{all}</span>
    </Link>
  )
}

/** One count per day. Undefined until it is loaded. */
function useCounts(name: 'volume' | 'decision_time', column: string, range: Range): number[] | undefined {
  const { data } = useQuery(read(routes.report, { params: { name }, query: range }))
  return data?.map((row) => Number(row[column]))
}

/** Refetches the counts whenever the counts of the tabs were refetched. */
function useRefetchWithQueue() {
  const client = useQueryClient()
  useEffect(() => {
    const refetch = throttle(() => void refresh(client, routes.report), REFETCH_MS)
    return client.getQueryCache().subscribe(({ type, query }) => {
      const isRefetched = type === 'updated' && query.queryKey[0] === routes.queue.path
      if (isRefetched && query.state.dataUpdateCount > 1 && query.state.fetchStatus === 'idle') refetch()
    })
  }, [client])
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0)

const HEIGHT = 32
/** Two columns and the gap to the next day. */
const DAY_WIDTH = 12

function Columns({ received, decided }: Readonly<Record<'received' | 'decided', readonly number[]>>) {
  const most = Math.max(1, ...received, ...decided)
  const columns = (counts: readonly number[], x: number) =>
    counts
      .map((count, day) => {
        // A day without cards still shows a baseline.
        const height = Math.max(1, Math.round((HEIGHT * count) / most))
        return `M${day * DAY_WIDTH + x} ${HEIGHT}v${-height}h4v${height}z`
      })
      .join('')
  return (
    <svg aria-hidden="true" width={DAYS * DAY_WIDTH} height={HEIGHT}>
      <path d={columns(received, 0)} className="fill-control" />
      <path d={columns(decided, 5)} className="fill-accent" />
    </svg>
  )
}

function Today({ className, count, what }: { className: string; count: number; what: string }) {
  return (
    <span className="flex items-center gap-2">
      <span className={`size-2 rounded-full ${className}`} />
      <span>
        <span className="figures font-semibold text-ink">{count.toLocaleString('en-US')}</span> {what}
      </span>
    </span>
  )
}
