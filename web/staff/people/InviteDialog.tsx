import { useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { INVITATION_HOURS, staffInvitation } from '#contract/staff-accounts.ts'
import { type Role, roles } from '#domain/roles.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { refresh } from '#web/wire/read.ts'
import { toastUnlessAtField, useCallForm } from '#web/wire/use-call-form.ts'
import { roleWords } from '../role-words.ts'

export const roleChoices = roles.map((value) => ({ value, label: roleWords[value].name }))

export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title="Invite somebody to the staff"
      description={`They get an email with a link to choose a username and a password. It works once, for ${INVITATION_HOURS} hours.`}
    >
      <InviteForm onDone={onClose} />
    </Dialog>
  )
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: staffInvitation,
    start: { email: '', role: 'reviewer' as Role },
    send: (body) => call(routes.inviteStaff, { body }),
    onDone: ({ email }) => {
      toast({ title: 'Invitation Sent', description: `${email} has been emailed a link.` })
      onDone()
      void refresh(client, routes.staffAccounts, routes.auditLog)
    },
    failed: toastUnlessAtField('Not Invited', 'The invitation could not be sent.'),
  })
  const { role } = form.values
  return (
    <Form onSubmit={submit}>
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
        hint={`Can ${roleWords[role].can}.`}
        {...field('role')}
      />
      <FormActions loading={sending.isPending} onCancel={onDone}>
        Send invitation
      </FormActions>
    </Form>
  )
}
