import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { PASSWORD_LENGTH, passwordChange } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/errors.ts'
import { refresh } from '../../api/read.ts'
import { Button } from '../../ui/Button.tsx'
import { schemaResolver } from '../../ui/schema-resolver.ts'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { showAtFields } from './field-errors.ts'

const fields = passwordChange
  .extend({ repeated: z.string() })
  .refine(({ newPassword, repeated }) => newPassword === repeated, {
    path: ['repeated'],
    message: 'The two passwords are not the same',
  })
type Fields = z.input<typeof fields>

const nothing: Fields = { currentPassword: '', newPassword: '', repeated: '' }

export function PasswordForm({ email }: { email: string }) {
  const client = useQueryClient()
  const form = useForm<Fields>({ resolver: schemaResolver(fields), defaultValues: nothing })
  const { errors } = form.formState

  const change = useMutation({
    mutationFn: ({ currentPassword, newPassword }: Fields) =>
      call(routes.changePassword, { body: { currentPassword, newPassword } }),
    onSuccess: () => {
      form.reset(nothing)
      toast({ title: 'Password Changed', description: 'You are signed out everywhere else.' })
      void refresh(client, routes.mySessions)
    },
    onError: (error) => {
      toast({
        title: 'Update Failed',
        description: messageOf(error, 'Failed to change password'),
        variant: 'destructive',
      })
      showAtFields(form, error)
    },
  })

  return (
    <form noValidate onSubmit={form.handleSubmit((typed) => change.mutate(typed))} className="grid gap-5">
      {/* Tells a password manager whose password this is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...form.register('currentPassword')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${PASSWORD_LENGTH.min} characters`}
          error={errors.newPassword?.message}
          {...form.register('newPassword')}
        />
        <TextField
          label="Repeat new password"
          type="password"
          autoComplete="new-password"
          error={errors.repeated?.message}
          {...form.register('repeated')}
        />
      </div>
      <Button type="submit" variant="secondary" loading={change.isPending} className="sm:justify-self-start">
        {change.isPending ? 'Saving...' : 'Change Password'}
      </Button>
    </form>
  )
}
