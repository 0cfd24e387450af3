import { useQueryClient } from '@tanstack/react-query'
import type { FieldProblem } from '#contract/field-errors.ts'
import { routes } from '#contract/routes.ts'
import { PASSWORD_LENGTH } from '#domain/password.ts'
import { toastUnlessAtField, useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError } from '#web/wire/errors.ts'
import { sessionKey } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'

const BadLink = lazyComponent(() => import('./BadLink.tsx').then((module) => module.BadLink))

/** The form of a complete link. Shows `BadLink` instead once the server refuses its token. */
export function NewPassword({ token }: { token: string }) {
  const t = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { sending, submit, field } = useCallForm({
    schema: () => import('#contract/accounts.ts').then((contract) => contract.chosenPassword),
    start: { password: '', repeated: '' },
    check: ({ password, repeated }) => (password === repeated ? [] : [differs]),
    send: ({ password }) => call(routes.resetPassword, { body: { token, password } }),
    onDone: ({ message }) => {
      client.setQueryData(sessionKey, null)
      toast({ title: t('signIn.reset.done'), description: message })
      void navigate(paths.login, { replace: true })
    },
    failed: toastUnlessAtField(t('signIn.reset.failed'), t('signIn.reset.failedText')),
  })
  const { error } = sending
  const badLink = error instanceof ApiError && error.errors.find(({ path }) => path === 'token')
  if (badLink) return <BadLink title={badLink.message} />
  return (
    <Form onSubmit={submit}>
      <PasswordField
        label={t('signIn.reset.new')}
        autoComplete="new-password"
        hint={t('signIn.passwordHint', { count: PASSWORD_LENGTH.min })}
        {...field('password')}
      />
      <PasswordField label={t('signIn.reset.repeated')} autoComplete="new-password" {...field('repeated')} />
      <Button type="submit" size="lg" wide loading={sending.isPending} disabled={sending.isSuccess}>
        {t(sending.isPending ? 'signIn.reset.pending' : 'signIn.reset.submit')}
      </Button>
    </Form>
  )
}

const differs: FieldProblem = { path: 'repeated', code: 'passwords_differ' }
