import { useQueryClient } from '@tanstack/react-query'
import type { FieldProblem } from '#contract/field-errors.ts'
import { routes } from '#contract/routes.ts'
import { PASSWORD_LENGTH } from '#domain/password.ts'
import { Button, ButtonLink, TextLink } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { useNavigate, useSearchParams } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { sessionKey } from '#web/wire/session.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { SignInPage } from './SignInPage.tsx'

/** Opened from the emailed link. */
export default function ResetPassword() {
  const t = useWords()
  const [address] = useSearchParams()
  const token = address.get('token')
  return (
    <SignInPage
      title={t('signIn.reset.title')}
      bare={!token}
      intro={t('signIn.reset.intro')}
      other={<TextLink to={paths.login}>{t('signIn.reset.login')}</TextLink>}
    >
      {token ? <NewPassword token={token} /> : <BadLink>{t('signIn.incomplete.title')}</BadLink>}
    </SignInPage>
  )
}

function NewPassword({ token }: { token: string }) {
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
    failed: (error) => {
      if (refusedAt(error, 'password') || refusedAt(error, 'token')) return undefined
      const description = messageOf(error, t('signIn.reset.failedText'))
      return { title: t('signIn.reset.failed'), description }
    },
  })
  const badLink = refusedAt(sending.error, 'token')
  if (badLink) return <BadLink>{badLink}</BadLink>
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

function BadLink({ children }: { children: string }) {
  const t = useWords()
  return (
    <Notice
      tone="negative"
      title={children}
      urgent
      action={
        <ButtonLink to={paths.forgotPassword} variant="secondary">
          {t('signIn.reset.newLink')}
        </ButtonLink>
      }
    />
  )
}

function refusedAt(error: Error | null, field: string): string | undefined {
  return error instanceof ApiError ? error.errors.find(({ path }) => path === field)?.message : undefined
}
