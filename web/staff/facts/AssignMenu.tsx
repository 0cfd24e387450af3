import { useQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { type Role, roleTable } from '#domain/roles.ts'
import { Menu, MenuAction } from '#web/kit/Menu.tsx'
import { read } from '#web/wire/read.ts'
import { useStaff } from '../shell/use-staff.ts'

interface AssignMenuProps {
  /** Who has it now. */
  current: string | undefined
  /** Whether this role may do the work. */
  mayTake: (role: Role) => boolean
  /** Offers to take it yourself, where no button beside the menu does. */
  offersMe?: boolean
  /** null ends the assignment. */
  onAssign: (assignee: string | null) => void
}

/** Assigns a submission or a conversation to a colleague, who is notified, or to yourself. */
export function AssignMenu({ current, mayTake, offersMe, onAssign }: AssignMenuProps) {
  const { admin } = useStaff()
  const [open, setOpen] = useState(false)
  const colleagues = useQuery({ ...read(routes.colleagues, {}), enabled: open })
  const others = colleagues.data?.filter(({ id, role }) => id !== admin.id && mayTake(role))
  function choose(assignee: string | null) {
    setOpen(false)
    onAssign(assignee)
  }
  return (
    <Menu
      label={<UsersRound />}
      name={offersMe ? 'Assign' : 'Assign to a colleague'}
      title="Assign to"
      size="sm"
      open={open}
      onOpenChange={setOpen}
    >
      {offersMe && (
        <MenuAction disabled={admin.id === current} onSelect={() => choose(admin.id)}>
          Assign to me
        </MenuAction>
      )}
      {others?.map(({ id, username, role }) => (
        <MenuAction key={id} disabled={id === current} onSelect={() => choose(id)}>
          <span className="min-w-0 flex-1 truncate">{username}</span>
          <span className="text-soft text-sm">{roleTable[role].name}</span>
        </MenuAction>
      ))}
      {others?.length === 0 && <p className="px-3 py-2 text-soft">Nobody else may do this.</p>}
      {!others && (
        <p role="status" className="px-3 py-2 text-soft">
          {colleagues.isError ? 'The colleagues could not be loaded.' : 'Loading...'}
        </p>
      )}
      {current && <MenuAction onSelect={() => choose(null)}>Nobody</MenuAction>}
    </Menu>
  )
}
