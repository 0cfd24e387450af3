import { routes } from '#contract/routes.ts'
import { INVITATION_HOURS, staffInvitation } from '#contract/staff-accounts.ts'
import { type Role, roles, roleTable } from '#domain/roles.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'

export const roleChoices = roles.map((value) => ({ value, label: roleTable[value].name }))

export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title="Invite somebody to the staff"
      description={`They get an email with a link to choose a username and a password. It works once, for ${INVITATION_HOURS} hours.`}
      schema={staffInvitation}
      start={{ email: '', role: 'reviewer' as Role }}
      send={(body) => call(routes.inviteStaff, { body })}
      failed="The invitation could not be sent."
      done={({ email }) => ({ title: 'Invitation Sent', description: `${email} has been emailed a link.` })}
      refreshes={[routes.staffAccounts, routes.auditLog]}
      submit="Send invitation"
    >
      {(field, { values }) => (
        <>
          <TextField
            label="Email"
            type="email"
            autoFocus
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...field('email')}
          />
          <SelectField
            label="Role"
            choices={roleChoices}
            hint={`Can ${roleTable[values.role].can}.`}
            {...field('role')}
          />
        </>
      )}
    </ActionDialog>
  )
}
