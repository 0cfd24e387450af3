import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { type ApiToken, apiTokenForm } from '#contract/api-tokens.ts'
import { routes } from '#contract/routes.ts'
import { type Role, roles, roleTable } from '#domain/roles.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { useLast } from '#web/kit/Dialog.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { call } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { type NewSecret, SecretDialog } from '../../facts/SecretDialog.tsx'
import type { Column } from '../../list/DataTable.tsx'
import { List } from '../../list/List.tsx'
import { When } from '../../shell/RelativeTime.tsx'
import { StaffScreen } from '../../shell/StaffScreen.tsx'

/** The tokens with which other programs use the API. For owners. */
export default function ApiTokens() {
  const query = useQuery({ ...read(routes.apiTokens, {}), staleTime: 0 })
  const rows = query.data ?? []
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<NewSecret>()
  const [revoking, setRevoking] = useState<ApiToken>()
  return (
    <StaffScreen title="API tokens" intro="How other programs use the API, and what each may do.">
      <List
        noun="token"
        list={{ query, rows, total: rows.length }}
        columns={[...columns, revokeColumn(setRevoking)]}
        empty="Create one for each program that works with this shop."
        actions={
          <Button size="sm" onClick={() => setCreating(true)} icon={<Plus />}>
            Create token
          </Button>
        }
      />
      <CreateDialog open={creating} onClose={() => setCreating(false)} onDone={setMade} />
      <SecretDialog name="token" made={made} onClose={() => setMade(undefined)}>
        Send it as <code>Authorization: Bearer …</code> with each call.
      </SecretDialog>
      <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />
    </StaffScreen>
  )
}

const columns: readonly Column<ApiToken>[] = [
  {
    name: 'Name',
    isTitle: true,
    cell: ({ name, createdBy }) => (
      <span className="wrap-anywhere block min-w-24 max-w-72">
        <span className="font-medium">{name}</span>
        <span className="block text-soft">by {createdBy}</span>
      </span>
    ),
  },
  { name: 'Role', cell: ({ role }) => roleTable[role].name },
  {
    name: 'Expires',
    cell: ({ expiresAt }) =>
      Date.parse(expiresAt) < Date.now() ? (
        <span className="font-medium text-negative">
          Expired <Time at={expiresAt} as="date" />
        </span>
      ) : (
        <Time at={expiresAt} as="date" />
      ),
  },
  {
    name: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <When at={lastUsedAt} as="dateTime" /> : 'Never'),
  },
]

function revokeColumn(onRevoke: (token: ApiToken) => void): Column<ApiToken> {
  return {
    name: 'Revoke',
    isAction: true,
    cell: (token) => (
      <Button
        variant="quiet"
        size="sm"
        className="px-2"
        onClick={() => onRevoke(token)}
        aria-label={`Revoke ${token.name}`}
      >
        Revoke
      </Button>
    ),
  }
}

const roleChoices = roles.map((value) => ({ value, label: roleTable[value].name }))
const dayChoices = [30, 90, 180, 365].map((days) => ({ value: String(days), label: `In ${days} days` }))

interface CreateDialogProps {
  open: boolean
  onClose: () => void
  onDone: (made: NewSecret) => void
}

function CreateDialog({ open, onClose, onDone }: CreateDialogProps) {
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title="Create an API token"
      description="A program that uses this token acts in your name, with the rights of the role below. It never sees card numbers, photos or payout accounts, and never releases batches."
      schema={tokenForm}
      start={{ name: '', role: 'auditor' as Role, days: '90' }}
      send={(body) => call(routes.createApiToken, { body })}
      failed="The token could not be created."
      refreshes={[routes.apiTokens, routes.auditLog]}
      onDone={({ name, token }) => onDone({ title: `Token for ${name}`, secret: token })}
      submit="Create token"
    >
      {(field, { values }) => (
        <>
          <TextField
            label="Name"
            hint="The program that uses it, such as nightly export."
            autoFocus
            autoComplete="off"
            {...field('name')}
          />
          <SelectField
            label="Role"
            choices={roleChoices}
            hint={`A person with this role can ${roleTable[values.role].can}.`}
            {...field('role')}
          />
          <SelectField label="Expires" choices={dayChoices} {...field('days')} />
        </>
      )}
    </ActionDialog>
  )
}

/** A select holds text. */
const tokenForm = apiTokenForm.extend({ days: z.coerce.number().pipe(apiTokenForm.shape.days) })

function RevokeDialog({ token, onClose }: { token: ApiToken | undefined; onClose: () => void }) {
  const shown = useLast(token)
  if (!shown) return null
  return (
    <ActionDialog
      open={token !== undefined}
      onClose={onClose}
      title={`Revoke ${shown.name}?`}
      schema={z.object({})}
      send={() => call(routes.revokeApiToken, { params: { id: shown.id } })}
      failed="The token could not be revoked."
      done={({ message }) => ({ title: 'Token Revoked', description: message })}
      refreshes={[routes.apiTokens, routes.auditLog]}
      submit="Revoke token"
      danger
      focusSubmit
    >
      <p>The program that uses it is refused from its next call. This cannot be undone.</p>
    </ActionDialog>
  )
}
