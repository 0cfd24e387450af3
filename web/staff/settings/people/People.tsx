import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { AuditChoice } from '#contract/audit.ts'
import { routes } from '#contract/routes.ts'
import type { StaffAccount } from '#contract/staff-accounts.ts'
import { roleTable } from '#domain/roles.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Link } from '#web/kit/router/index.ts'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import type { Column } from '../../list/DataTable.tsx'
import { List } from '../../list/List.tsx'
import { When } from '../../shell/RelativeTime.tsx'
import { StaffScreen } from '../../shell/StaffScreen.tsx'
import { useStaff } from '../../shell/use-staff.ts'
import { AccountDialog } from './AccountDialog.tsx'
import { InviteDialog } from './InviteDialog.tsx'

/** Who works here, what each role sees and does, and who is invited. For owners. */
export default function People() {
  const query = useQuery({ ...read(routes.staffAccounts, {}), staleTime: 0 })
  const rows = query.data ?? []
  const [inviting, setInviting] = useState(false)
  const [openId, setOpenId] = useState<string>()
  return (
    <StaffScreen title="Staff" intro="Who works here, and what they may do.">
      <List
        noun="member"
        list={{ query, rows, total: rows.length }}
        columns={[...columns, changeColumn(setOpenId)]}
        empty="Invite the first one."
        actions={
          <Button size="sm" onClick={() => setInviting(true)} icon={<UserPlus />}>
            Invite
          </Button>
        }
      />
      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
      <AccountDialog
        account={rows.find(({ id }) => id === openId)}
        open={openId !== undefined}
        onClose={() => setOpenId(undefined)}
      />
    </StaffScreen>
  )
}

const columns: readonly Column<StaffAccount>[] = [
  { name: 'Name', isTitle: true, cell: (account) => <Name account={account} /> },
  {
    name: 'Role',
    cell: ({ role }) => (
      <span className="block max-w-72 lg:min-w-40">
        {roleTable[role].name}
        <span className="block text-pretty text-soft sm:max-lg:hidden">Can {roleTable[role].can}</span>
      </span>
    ),
  },
  { name: 'State', cell: (account) => <State account={account} /> },
  {
    name: 'Second factor',
    isFilled: isMember,
    cell: ({ username, secondFactor }) =>
      username === null ? <Nothing /> : secondFactor ? 'On' : <span className="text-caution">Off</span>,
  },
  {
    name: 'Last sign-in',
    isFilled: isMember,
    cell: ({ username, lastSignIn }) =>
      lastSignIn ? <When at={lastSignIn} as="dateTime" /> : username === null ? <Nothing /> : 'Never',
  },
  {
    name: 'Reveals',
    isNumber: true,
    isFilled: isMember,
    cell: ({ username, reveals }) => (
      <Entries {...{ username }} count={reveals} noun="reveals" action="revealed" />
    ),
  },
  {
    name: 'Decisions',
    isNumber: true,
    isFilled: isMember,
    cell: ({ username, decisions }) => (
      <Entries {...{ username }} count={decisions} noun="decisions" action="decided" />
    ),
  },
]

/** An invitation has no username yet. */
function isMember({ username }: StaffAccount): boolean {
  return username !== null
}

interface EntriesProps extends Pick<StaffAccount, 'username'> {
  count: number
  noun: string
  action: AuditChoice
}

/** How often somebody did something. Leads to these entries of the audit log. */
function Entries({ username, count, noun, action }: EntriesProps) {
  if (username === null) return <Nothing />
  const figure = count.toLocaleString('en-US')
  return (
    <Link
      to={pathTo('adminAudit', { actor: username, action })}
      aria-label={`${figure} ${noun} by ${username}`}
      className="underline underline-offset-4"
    >
      {figure}
    </Link>
  )
}

function Nothing() {
  return <span className="text-soft">–</span>
}

function Name({ account: { id, username, email } }: { account: StaffAccount }) {
  const { admin } = useStaff()
  return (
    <span className="wrap-anywhere block min-w-24 max-w-72 lg:min-w-36">
      <span className="font-medium">{username ?? email}</span>
      {id === admin.id && <span className="text-soft"> (you)</span>}
      {username !== null && email !== null && <span className="block text-soft">{email}</span>}
    </span>
  )
}

function State({ account: { disabled, invitedUntil } }: { account: StaffAccount }) {
  if (disabled) return <span className="font-medium text-negative">Disabled</span>
  if (invitedUntil === null) return <span className="text-positive">Active</span>
  const expired = Date.parse(invitedUntil) < Date.now()
  return (
    <span className={cx('block min-w-32', expired && 'text-caution')}>
      {expired ? 'Invitation expired' : 'Invited, until'} <Time at={invitedUntil} as="dateTime" />
    </span>
  )
}

function changeColumn(onChange: (id: string) => void): Column<StaffAccount> {
  return {
    name: 'Change',
    isAction: true,
    cell: ({ id, username, email }) => (
      <Button
        variant="quiet"
        size="sm"
        className="px-2"
        onClick={() => onChange(id)}
        aria-label={`Change ${username ?? email}`}
      >
        Change
      </Button>
    ),
  }
}
