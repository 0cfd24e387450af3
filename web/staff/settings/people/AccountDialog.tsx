import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffAccount, StaffChange } from '#contract/staff-accounts.ts'
import { type Role, roleTable } from '#domain/roles.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dialog, useLast } from '#web/kit/Dialog.tsx'
import { Form } from '#web/kit/Form.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { useStaff } from '../../shell/use-staff.ts'
import { roleChoices } from './InviteDialog.tsx'

interface AccountDialogProps {
  account: StaffAccount | undefined
  open: boolean
  onClose: () => void
}

/** What an owner can do with one account or invitation. */
export function AccountDialog({ account, open, onClose }: AccountDialogProps) {
  const shown = useLast(account)
  if (!shown) return null
  return (
    <Dialog
      open={open && account !== undefined}
      onOpenChange={(next) => next || onClose()}
      title={shown.username ?? shown.email}
      description="The audit log records every change."
    >
      {shown.username === null ? (
        <Invited account={shown} onDone={onClose} />
      ) : (
        <Account key={shown.id} account={shown} onDone={onClose} />
      )}
    </Dialog>
  )
}

function Account({ account, onDone }: { account: StaffAccount; onDone: () => void }) {
  const { admin } = useStaff()
  const isYou = account.id === admin.id
  const name = isYou ? 'You' : account.username
  const { mutate, isPending, variables } = useChange(account, onDone)
  const isBusyWith = (field: keyof StaffChange) => isPending && variables[field] !== undefined
  return (
    <div className="grid divide-y divide-line *:py-5 *:first:pt-0 *:last:pb-0">
      <RoleForm account={account} loading={isBusyWith('role')} onChange={(role) => mutate({ role })} />
      {account.secondFactor && !isYou && (
        <Confirmed
          label="Reset second factor"
          loading={isBusyWith('secondFactor')}
          onConfirm={() => mutate({ secondFactor: false })}
        >
          For somebody who lost the phone and the recovery codes. {name} is signed out everywhere, and then
          needs only the password. Make sure that it is really {name} who asks.
        </Confirmed>
      )}
      {account.disabled ? (
        <div>
          <Button
            variant="secondary"
            loading={isBusyWith('disabled')}
            onClick={() => mutate({ disabled: false })}
          >
            Enable account
          </Button>
        </div>
      ) : (
        <Confirmed
          label="Disable account"
          danger
          loading={isBusyWith('disabled')}
          onConfirm={() => mutate({ disabled: true })}
        >
          {name} {isYou ? 'are' : 'is'} signed out everywhere at once and cannot sign in until an owner
          enables the account again.
        </Confirmed>
      )}
    </div>
  )
}

function useChange({ id, username }: StaffAccount, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: StaffChange) => call(routes.changeStaff, { params: { id }, body }),
    onSuccess: (_account, change) => {
      toast({ title: 'Account Changed', description: doneWords(String(username), change) })
      onDone()
    },
    onError: toastFailure('Not Changed', 'The account could not be changed.'),
    // After changing your own role, you are signed out.
    onSettled: () => refresh(client, routes.staffAccounts, routes.adminMe, routes.auditLog),
  })
}

function doneWords(name: string, { role, disabled }: StaffChange): string {
  if (role) return `${name} is now ${roleTable[role].withArticle}.`
  if (disabled === undefined) return `${name} needs only the password to sign in.`
  return disabled ? `${name} cannot sign in anymore.` : `${name} can sign in again.`
}

interface RoleFormProps {
  account: StaffAccount
  loading: boolean
  onChange: (role: Role) => void
}

function RoleForm({ account, loading, onChange }: RoleFormProps) {
  const [role, setRole] = useState(account.role)
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        if (role !== account.role) onChange(role)
      }}
    >
      <SelectField
        label="Role"
        choices={roleChoices}
        value={role}
        hint={`Can ${roleTable[role].can}.`}
        onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
      />
      {role !== account.role && (
        <div className="grid justify-items-start gap-3">
          <p className="text-soft text-sm">
            {account.username} is signed out everywhere and has the new role after signing in again.
          </p>
          <Button type="submit" loading={loading}>
            Change role
          </Button>
        </div>
      )}
    </Form>
  )
}

function Invited({ account, onDone }: { account: StaffAccount; onDone: () => void }) {
  const client = useQueryClient()
  const { id, email, role } = account
  const settled = () => refresh(client, routes.staffAccounts, routes.auditLog)
  const again = useMutation({
    mutationFn: () => call(routes.inviteStaff, { body: { email: email ?? '', role } }),
    onSuccess: () => {
      toast({ title: 'Invitation Sent', description: 'The link of the earlier email no longer works.' })
      onDone()
    },
    onError: toastFailure('Not Sent', 'The invitation could not be sent.'),
    onSettled: settled,
  })
  const revoke = useMutation({
    mutationFn: () => call(routes.revokeInvitation, { params: { id } }),
    onSuccess: ({ message }) => {
      toast({ title: 'Invitation Revoked', description: message })
      onDone()
    },
    onError: toastFailure('Not Revoked', 'The invitation could not be revoked.'),
    onSettled: settled,
  })
  return (
    <div className="grid gap-4">
      <p>Invited as {roleTable[role].withArticle}. To give another role, invite the same address again.</p>
      <div className="flex flex-wrap gap-2">
        <Button loading={again.isPending} onClick={() => again.mutate()}>
          Send again
        </Button>
        <Button variant="secondary" loading={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke invitation
        </Button>
      </div>
    </div>
  )
}

interface ConfirmedProps {
  label: string
  danger?: boolean
  loading: boolean
  onConfirm: () => void
  /** What happens. */
  children: ReactNode
}

/** A button that first says what it does, and then asks. */
function Confirmed({ label, danger = false, loading, onConfirm, children }: ConfirmedProps) {
  const [asking, setAsking] = useState(false)
  if (!asking) {
    return (
      <div>
        <Button variant="secondary" className={cx(danger && 'text-negative')} onClick={() => setAsking(true)}>
          {label}
        </Button>
      </div>
    )
  }
  return (
    <div className="grid gap-3">
      <p>{children}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" autoFocus onClick={() => setAsking(false)}>
          Cancel
        </Button>
        <Button variant="danger" loading={loading} onClick={onConfirm}>
          {label}
        </Button>
      </div>
    </div>
  )
}
