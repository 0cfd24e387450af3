import { useQueryClient } from '@tanstack/react-query'
import type { accountRoutes } from '#contract/accounts.ts'
import type { administratorRoutes } from '#contract/administrators.ts'
import type { FieldProblem } from '#contract/field-errors.ts'
import type { Route } from '#contract/route.ts'
import { PASSWORD_LENGTH } from '#domain/password.ts'
import { toastOf, useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { refresh } from '#web/wire/read.ts'
import { useWords } from '#web/words/words.ts'

const differs: FieldProblem = { path: 'repeated', code: 'passwords_differ' }
const nothing = { currentPassword: '', newPassword: '', repeated: '' }

/** The routes of sellers or of staff. */
export interface PasswordCalls {
  change: typeof accountRoutes.changePassword | typeof administratorRoutes.changeAdminPassword
  /** What a new password also changes. */
  affected: readonly Route[]
}

/** @param username tells password managers which account this is */
export function PasswordForm({ calls, username }: { calls: PasswordCalls; username: string }) {
  const t = useWords()
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: () => import('#contract/accounts.ts').then((contract) => contract.passwordChange),
    start: nothing,
    check: ({ newPassword, repeated }) => (newPassword === repeated ? [] : [differs]),
    send: ({ currentPassword, newPassword }) =>
      call(calls.change, { body: { currentPassword, newPassword } }),
    onDone: () => {
      form.reset(nothing)
      toast({ title: t('profile.password.changed'), description: t('profile.sessions.endedText') })
      void refresh(client, ...calls.affected)
    },
    failed: toastOf(t('profile.updateFailed'), t('profile.password.failedText')),
  })

  return (
    <Form onSubmit={submit}>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <TextField
        label={t('profile.password.current')}
        type="password"
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={t('profile.password.new')}
          type="password"
          autoComplete="new-password"
          hint={t('profile.password.newHint', { minimum: PASSWORD_LENGTH.min })}
          {...field('newPassword')}
        />
        <TextField
          label={t('profile.password.repeat')}
          type="password"
          autoComplete="new-password"
          {...field('repeated')}
        />
      </div>
      <Button type="submit" variant="secondary" loading={sending.isPending} className="sm:justify-self-start">
        {t(sending.isPending ? 'profile.saving' : 'profile.password.change')}
      </Button>
    </Form>
  )
}
