import type { User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { Navigate } from '#web/kit/router/index.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { PasskeyButton, usePasskeySignIn } from '#web/passkeys/PasskeyButton.tsx'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { useSession, useSetSession } from '#web/wire/session.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { paths } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { SignInPage, useSignInRedirect } from './SignInPage.tsx'

export default function Login() {
  const t = useWords()
  const session = useSession()
  const setSession = useSetSession()
  const arrive = useSignInRedirect()
  const onDone = ({ user }: { user: User }) => {
    toast({ title: t('signIn.login.done'), description: t('signIn.login.doneText') })
    setSession(user)
    arrive()
  }
  const failed = (error: Error) => ({
    title: t('signIn.login.failed'),
    description: messageOf(error, t('signIn.login.failedText')),
  })
  const { sending, submit, field } = useCallForm({
    schema: () => import('#contract/accounts.ts').then((contract) => contract.signIn),
    start: { email: '', password: '' },
    send: (body) => call(routes.login, { body }),
    onDone,
    failed,
  })
  const passkey = usePasskeySignIn({
    options: () => call(routes.passkeyOptions, {}),
    verify: (body) => call(routes.passkeySignIn, { body }),
    onDone,
    onError: (error) => toast({ ...failed(error), variant: 'destructive' }),
  })

  // Not right after signing in: that redirect waits until the toast can be read.
  if (session.status === 'signed-in' && sending.isIdle && passkey.isIdle)
    return <Navigate to={paths.home} replace />

  return (
    <SignInPage
      title={t('signIn.login.title')}
      intro={t('signIn.login.intro')}
      other={
        <Rich
          id="signIn.login.register"
          tags={{ register: (text) => <TextLink to={paths.register}>{text}</TextLink> }}
        />
      }
    >
      <Form onSubmit={submit}>
        <TextField label={t('signIn.email')} type="email" autoComplete="username" {...field('email')} />
        <PasswordField label={t('signIn.password')} autoComplete="current-password" {...field('password')} />
        <p className="-mt-2 text-right text-sm">
          <TextLink to={paths.forgotPassword} className="inline-flex min-h-11 items-center md:min-h-0">
            {t('signIn.login.forgot')}
          </TextLink>
        </p>
        <Button type="submit" size="lg" wide loading={sending.isPending} disabled={sending.isSuccess}>
          {t(sending.isPending ? 'signIn.login.pending' : 'signIn.login.submit')}
        </Button>
        <PasskeyButton signIn={passkey}>{t('signIn.login.passkey')}</PasskeyButton>
      </Form>
    </SignInPage>
  )
}
