import { routes } from '#contract/routes.ts'
import type { StaffUser } from '#contract/staff.ts'
import { may } from '#domain/roles.ts'
import { Link } from '#web/kit/router/index.ts'
import { pathTo } from '#web/words/paths.ts'
import { LanguageBadge, SellerStateBadge } from '../facts/badges.tsx'
import { Reference } from '../facts/Reference.tsx'
import type { Column } from '../list/DataTable.tsx'
import { List } from '../list/List.tsx'
import { SearchField } from '../list/SearchField.tsx'
import { parseSearch, useFilters } from '../list/use-address.ts'
import { usePagedList } from '../list/use-paged-list.ts'
import { When } from '../shell/RelativeTime.tsx'
import { useStaff } from '../shell/use-staff.ts'

export function Users() {
  const [{ q }, change] = useFilters({ q: parseSearch })
  const list = usePagedList(routes.staffUsers, { q }, { staleTime: 0 })
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4 p-4 lg:px-6">
      <List
        noun="user"
        list={list}
        columns={columns}
        filters={
          <SearchField
            label="Search users"
            placeholder="ID, reference, username, email or name"
            value={q}
            onChange={(text) => change({ q: text })}
          />
        }
        empty={q ? 'Try a shorter search.' : 'New users appear here.'}
      />
    </div>
  )
}

const columns: readonly Column<StaffUser>[] = [
  {
    name: 'ID',
    cell: ({ id, role }) => (
      <>
        <Reference id={id} />
        <span className="block text-soft">{roleName(role)}</span>
      </>
    ),
  },
  {
    name: 'Username',
    isTitle: true,
    cell: ({ id, username, firstName, lastName, state, locale }) => (
      <span className="wrap-anywhere block min-w-28 max-lg:max-w-40">
        <span className="flex flex-wrap items-center gap-x-2">
          <Link
            to={pathTo('adminSeller', { id })}
            className="font-medium underline decoration-1 underline-offset-4"
          >
            {username}
          </Link>
          <SellerStateBadge state={state} />
          <LanguageBadge locale={locale} />
        </span>
        <span className="block text-soft">
          {firstName} {lastName}
        </span>
      </span>
    ),
  },
  {
    name: 'Email',
    cell: ({ id, username, email }) => (
      <span className="wrap-anywhere block min-w-48 max-w-72 sm:min-w-52">
        {email}
        <MessageLink id={id} username={username} />
      </span>
    ),
  },
  { name: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    name: 'Submissions',
    isNumber: true,
    cell: ({ username, submissions, rejected }) => (
      <>
        <Link to={pathTo('admin', { q: username })} className="font-medium underline underline-offset-4">
          {submissions}
        </Link>
        {rejected > 0 && <span className="block whitespace-nowrap text-soft">{rejected} rejected</span>}
      </>
    ),
  },
  {
    name: 'Trades',
    isNumber: true,
    isFilled: ({ tradeCount }) => tradeCount > 0,
    cell: ({ tradeCount }) => tradeCount,
  },
  {
    name: 'Rating',
    isNumber: true,
    isFilled: ({ reviewCount }) => reviewCount > 0,
    cell: ({ rating, reviewCount }) => (reviewCount > 0 ? `${rating} (${reviewCount})` : '–'),
  },
]

function MessageLink({ id, username }: { id: string; username: string }) {
  if (!may(useStaff().admin.role, 'chat')) return null
  return (
    <Link
      to={pathTo('adminChat', { user: id })}
      aria-label={`Message to ${username}`}
      className="block w-fit text-soft underline underline-offset-4 hover:text-ink"
    >
      Message
    </Link>
  )
}

function roleName(role: string): string {
  return role ? role.charAt(0).toUpperCase() + role.slice(1) : 'User'
}
