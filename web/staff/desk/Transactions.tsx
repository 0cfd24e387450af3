import { Download } from 'lucide-react'
import { routes } from '#contract/routes.ts'
import type { StaffTransaction } from '#contract/staff.ts'
import { may } from '#domain/roles.ts'
import { buttonClass } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { Link } from '#web/kit/router/index.ts'
import { addressOf } from '#web/wire/call.ts'
import { pathTo } from '#web/words/paths.ts'
import { StaffStatus, UnlistedBadge } from '../facts/badges.tsx'
import { Reference } from '../facts/Reference.tsx'
import type { Column } from '../list/DataTable.tsx'
import { StatusFilter } from '../list/FilterSelect.tsx'
import { List } from '../list/List.tsx'
import { SearchField } from '../list/SearchField.tsx'
import { parseSearch, parseStatus, useFilters } from '../list/use-address.ts'
import { usePagedList } from '../list/use-paged-list.ts'
import { When } from '../shell/RelativeTime.tsx'
import { useStaff } from '../shell/use-staff.ts'

export function Transactions() {
  const [filters, change] = useFilters({ q: parseSearch, status: parseStatus })
  const list = usePagedList(routes.staffTransactions, filters)
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 p-4 lg:px-6">
      <List
        noun="transaction"
        list={list}
        columns={columns}
        filters={
          <>
            <SearchField
              label="Search transactions"
              placeholder="ID, brand, username, email or amount"
              value={filters.q}
              onChange={(q) => change({ q })}
            />
            <StatusFilter value={filters.status} onChange={(status) => change({ status })} />
            {may(useStaff().admin.role, 'read_reports') && (
              <a
                href={addressOf(routes.exportTransactions, {}, filters)}
                download
                className={cx(buttonClass({ variant: 'secondary' }), 'sm:ml-auto')}
              >
                <Download />
                Export CSV
              </a>
            )}
          </>
        }
        empty={
          filters.q || filters.status
            ? 'Try a shorter search, or any status.'
            : 'Each submission creates one transaction.'
        }
      />
    </div>
  )
}

const columns: readonly Column<StaffTransaction>[] = [
  {
    name: 'ID',
    cell: ({ id, type }) => (
      <>
        <Reference id={id} name="transaction ID" />
        <span className="block text-soft">{type === 'sell' ? 'Sell' : type}</span>
      </>
    ),
  },
  {
    name: 'Gift card',
    isTitle: true,
    cell: ({ giftCardId, brandName, unlistedBrand, username }) => (
      <div className="wrap-anywhere min-w-36 max-lg:max-w-40 lg:min-w-44">
        <Link to={pathTo('admin', { id: giftCardId })} className="font-medium underline underline-offset-4">
          {brandName}
        </Link>{' '}
        {unlistedBrand && <UnlistedBadge />}
        <span className="block text-soft">{username}</span>
      </div>
    ),
  },
  {
    name: 'Amount',
    isNumber: true,
    cell: ({ amount }) => <Money amount={amount} className="font-medium" />,
  },
  { name: 'Status', cell: ({ status }) => <StaffStatus status={status} /> },
  { name: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
]
