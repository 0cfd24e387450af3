import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { PASSWORD_LENGTH, passwordChange } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'

const fields = passwordChange
  .extend({ repeated: z.string() })
  .refine(({ newPassword, repeated }) => newPassword === repeated, {
    path: ['repeated'],
    message: 'The two passwords are not the same',
  })
const nothing = { currentPassword: '', newPassword: '', repeated: '' }

export function PasswordForm({ email }: { email: string }) {
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: fields,
    start: nothing,
    send: ({ currentPassword, newPassword }) =>
      call(routes.changePassword, { body: { currentPassword, newPassword } }),
    onDone: () => {
      form.reset(nothing)
      toast({ title: 'Password Changed', description: 'You are signed out everywhere else.' })
      void refresh(client, routes.mySessions)
    },
    failed: (error) => ({
      title: 'Update Failed',
      description: messageOf(error, 'Failed to change password'),
    }),
  })

  return (
    <Form onSubmit={submit}>
      {/* Tells password managers which account this is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${PASSWORD_LENGTH.min} characters`}
          {...field('newPassword')}
        />
        <TextField
          label="Repeat new password"
          type="password"
          autoComplete="new-password"
          {...field('repeated')}
        />
      </div>
      <Button type="submit" variant="secondary" loading={sending.isPending} className="sm:justify-self-start">
        {sending.isPending ? 'Saving...' : 'Change Password'}
      </Button>
    </Form>
  )
}
