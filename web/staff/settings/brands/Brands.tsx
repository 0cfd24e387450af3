import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Star } from 'lucide-react'
import { useState } from 'react'
import type { BalanceConnector } from '#contract/balance-connectors.ts'
import type { StaffBrand } from '#contract/brands.ts'
import { routes } from '#contract/routes.ts'
import { QUOTE_HOLDS_MINUTES } from '#domain/quote.ts'
import { may } from '#domain/roles.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { Button } from '#web/kit/Button.tsx'
import { Link } from '#web/kit/router/index.ts'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import type { Column } from '../../list/DataTable.tsx'
import { List } from '../../list/List.tsx'
import { SearchField } from '../../list/SearchField.tsx'
import { parseSearch, useFilters } from '../../list/use-address.ts'
import { When } from '../../shell/RelativeTime.tsx'
import { StaffScreen } from '../../shell/StaffScreen.tsx'
import { useStaff } from '../../shell/use-staff.ts'
import { BrandDialog } from './BrandDialog.tsx'
import { plainMoney, plainPercent } from './brand-fields.ts'
import { type ConnectedBrand, ConnectorDialog } from './ConnectorDialog.tsx'

/** The catalog: which cards are bought, and on which terms. */
export default function Brands() {
  const { role } = useStaff().admin
  const mayChange = may(role, 'change_brands')
  const mayConnect = may(role, 'manage_connections')
  const [{ q }, change] = useFilters({ q: parseSearch })
  const query = useQuery({ ...read(routes.staffBrands, {}), staleTime: 0 })
  const rows = (query.data ?? [])
    .filter((brand) => isFound(brand, q))
    .map((brand) => ({ ...brand, id: brand.value }))
  const [edited, setEdited] = useState<StaffBrand | 'new'>()
  const connectors = useQuery({ ...read(routes.balanceConnectors, {}), staleTime: 0, enabled: mayConnect })
  const [connected, setConnected] = useState<ConnectedBrand>()
  return (
    <StaffScreen
      isList
      title="Brands"
      intro={`After a change, quotes already shown are honored for ${QUOTE_HOLDS_MINUTES} minutes.`}
    >
      <List
        noun="brand"
        list={{ query, rows, total: rows.length, isFiltered: q !== '' }}
        columns={[
          ...columns,
          ...(connectors.data ? [connectorColumn(connectors.data, setConnected)] : []),
          ...(mayChange ? [editColumn(setEdited)] : []),
        ]}
        filters={
          <>
            <SearchField
              label="Search brands"
              placeholder="Name, slug or category"
              value={q}
              onChange={(text) => change({ q: text })}
            />
            {mayChange && (
              <Button onClick={() => setEdited('new')} icon={<Plus />} className="max-sm:w-full sm:ml-auto">
                Add brand
              </Button>
            )}
          </>
        }
        empty={mayChange ? 'Try a shorter search, or add the brand.' : 'Try a shorter search.'}
      />
      <ConnectorDialog edited={connected} onClose={() => setConnected(undefined)} />
      <BrandDialog edited={edited} onClose={() => setEdited(undefined)} />
    </StaffScreen>
  )
}

function isFound({ name, value, category }: StaffBrand, q: string): boolean {
  const wanted = q.toLowerCase()
  return [name, value, category].some((text) => text.toLowerCase().includes(wanted))
}

type Row = StaffBrand & { id: string }

const columns: readonly Column<Row>[] = [
  {
    name: 'Brand',
    isTitle: true,
    cell: ({ name, value, category }) => (
      <span className="flex min-w-44 items-center gap-3">
        <BrandTile name={name} size="sm" />
        <span className="grid min-w-0">
          <span className="wrap-anywhere font-medium">{name}</span>
          <span className="text-soft text-xs">
            {category} · <span className="font-mono">{value}</span>
          </span>
        </span>
      </span>
    ),
  },
  { name: 'Rate', isNumber: true, cell: ({ rate }) => <b>{plainPercent(rate)}</b> },
  {
    name: 'Limits',
    isNumber: true,
    cell: ({ minAmount, maxAmount }) => (
      <span className="whitespace-nowrap">
        {plainMoney(minAmount)} to {plainMoney(maxAmount)}
      </span>
    ),
  },
  {
    name: 'Popular',
    isFilled: ({ popular }) => popular,
    cell: ({ popular }) =>
      popular ? (
        <span className="flex text-accent">
          <Star className="fill-current" />
          <span className="sr-only">Popular</span>
        </span>
      ) : (
        <span className="text-soft">–</span>
      ),
  },
  {
    name: 'Last change',
    isFilled: ({ updatedAt }) => !isFirst(updatedAt),
    cell: ({ name, value, updatedAt }) =>
      isFirst(updatedAt) ? (
        <span className="text-soft">Never</span>
      ) : (
        <LastChange name={name} slug={value} at={updatedAt} />
      ),
  },
]

function LastChange({ name, slug, at }: { name: string; slug: string; at: string }) {
  if (!may(useStaff().admin.role, 'read_audit_log')) return <When at={at} as="day" />
  return (
    <Link
      to={pathTo('adminAudit', { subject: slug })}
      aria-label={`Changes of ${name}`}
      className="underline decoration-1 underline-offset-4"
    >
      <When at={at} as="day" />
    </Link>
  )
}

/** Built-in brands have no edit date. */
function isFirst(updatedAt: string): boolean {
  return new Date(updatedAt).getTime() === 0
}

function connectorColumn(
  connectors: readonly BalanceConnector[],
  onEdit: (brand: ConnectedBrand) => void,
): Column<Row> {
  const connectorOf = (slug: string) => connectors.find(({ brand }) => brand === slug)
  return {
    name: 'Balance connector',
    cell: ({ name, value }) => {
      const connector = connectorOf(value)
      return (
        <Button
          variant="quiet"
          size="sm"
          className="-ml-3"
          icon={!connector && <Plus />}
          onClick={() => onEdit({ slug: value, name, connector })}
          aria-label={`Balance connector for ${name}: ${stateOf(connector)}`}
        >
          {stateOf(connector)}
        </Button>
      )
    },
  }
}

function stateOf(connector: BalanceConnector | undefined): string {
  if (!connector) return 'Add'
  return connector.paused ? 'Paused' : 'On'
}

function editColumn(onEdit: (brand: StaffBrand) => void): Column<Row> {
  return {
    name: 'Edit',
    isAction: true,
    cell: ({ id: _, ...brand }) => (
      <Button
        variant="quiet"
        size="sm"
        onClick={() => onEdit(brand)}
        icon={<Pencil />}
        aria-label={`Edit ${brand.name}`}
      >
        Edit
      </Button>
    ),
  }
}
