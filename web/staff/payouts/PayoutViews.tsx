import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { showCount } from '#domain/counting.ts'
import { cx } from '#web/kit/cx.ts'
import { Link, useNavigate } from '#web/kit/router/index.ts'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { usePagedList } from '../list/use-paged-list.ts'
import { KeysButton } from '../shell/keys/KeyHint.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import { openReturns, type PayoutView, payoutViews, usePayoutView } from './use-payout-view.ts'

const labels: Readonly<Record<PayoutView, string>> = {
  due: 'Due',
  batches: 'Batches',
  returns: 'Returns',
  all: 'All',
}

/** The views, with the number of rows in each. */
export function PayoutViews({ onKeys }: { onKeys: () => void }) {
  const { view } = usePayoutView()
  const counts = useCounts()
  const navigate = useNavigate()
  const open = (name: PayoutView) => () => void navigate(addressOf(name))
  useKeys({
    viewDue: open('due'),
    viewBatches: open('batches'),
    viewReturns: open('returns'),
    viewAll: open('all'),
  })
  return (
    <div className="flex items-center justify-between gap-2">
      <nav aria-label="Views" className="-mb-px flex min-w-0 overflow-x-auto">
        {payoutViews.map((name) => (
          <Link
            key={name}
            to={addressOf(name)}
            aria-current={name === view ? 'true' : undefined}
            className={cx(
              'flex min-h-12 items-center gap-2 whitespace-nowrap border-b-2 px-2.5 max-sm:gap-1.5 max-sm:px-2 font-medium focus-visible:-outline-offset-2 md:px-4 lg:min-h-14',
              name === view ? 'border-accent text-ink' : 'border-transparent text-soft hover:text-ink',
            )}
          >
            {labels[name]}
            <span className="figures font-normal text-sm">
              {counts[name] === undefined ? '' : showCount(counts[name])}
            </span>
          </Link>
        ))}
      </nav>
      {/* The views need the width of a phone. */}
      <KeysButton size="sm" onClick={onKeys} className="max-sm:hidden">
        <span className="sr-only xl:not-sr-only">Keys</span>
      </KeysButton>
    </div>
  )
}

const addressOf = (view: PayoutView) => `${paths.adminPayouts}?view=${view}`

/** Undefined until they are known. */
function useCounts(): Readonly<Record<PayoutView, number | undefined>> {
  const { data: due } = useQuery(read(routes.duePayouts, {}))
  const one = { limit: '1' }
  const lists = {
    batches: usePagedList(routes.payoutBatches, one),
    returns: usePagedList(routes.payouts, { ...one, ...openReturns }),
    all: usePagedList(routes.payouts, one),
  }
  const totalOf = (name: keyof typeof lists) => (lists[name].query.data ? lists[name].total : undefined)
  return {
    due: due?.reduce((sum, { count }) => sum + count, 0),
    batches: totalOf('batches'),
    returns: totalOf('returns'),
    all: totalOf('all'),
  }
}
