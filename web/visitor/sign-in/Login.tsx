import { Suspense, useState } from 'react'
import type { Answer } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { PasskeyButton, usePasskeySignIn } from '#web/credentials/PasskeyButton.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Notice } from '#web/kit/Notice.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { Navigate } from '#web/kit/router/index.ts'
import { useStore } from '#web/kit/store.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { returnAddress } from '#web/wire/return-address.ts'
import { useSession, useSetSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { SignInPage, useSignInRedirect } from './SignInPage.tsx'

const CodeStep = lazyComponent(() => import('./CodeStep.tsx').then((module) => module.CodeStep))

export default function Login() {
  const t = useWords()
  const session = useSession()
  const setSession = useSetSession()
  const arrive = useSignInRedirect()
  const isOnTheWay = Boolean(useStore(returnAddress))
  /** What was typed, if a code is needed too. */
  const [accepted, setAccepted] = useState<{ email: string; password: string }>()
  const onDone = ({ user }: Answer<typeof routes.login>) => {
    toast({ title: t('signIn.login.done'), description: t('signIn.login.doneText') })
    // On a Spanish page the account follows, or it would turn the page into English.
    const isSpanish = t.locale === 'es'
    if (isSpanish && user.locale !== 'es')
      void call(routes.changeLocale, { body: { locale: 'es' } }).catch(() => undefined)
    setSession(isSpanish ? { ...user, locale: 'es' } : user)
    arrive()
  }
  const failed = (error: Error) => ({
    title: t('signIn.login.failed'),
    description: messageOf(error, t('signIn.login.failedText')),
  })
  const { form, sending, submit, field } = useCallForm({
    schema: () => import('#contract/accounts.ts').then((contract) => contract.signIn),
    start: { email: '', password: '' },
    send: (body) => call(routes.login, { body }),
    onDone,
    failed: (error) => {
      if (!(error instanceof ApiError && error.code === 'totp_required')) return failed(error)
      setAccepted(form.getValues())
      return undefined
    },
  })
  /** Stays when the toast is gone. */
  const refusal =
    sending.error instanceof ApiError && sending.error.code !== 'totp_required' ? sending.error : undefined
  const passkey = usePasskeySignIn({
    options: () => call(routes.passkeyOptions, {}),
    verify: (body) => call(routes.passkeySignIn, { body }),
    onDone,
    onError: (error) => toast({ ...failed(error), variant: 'destructive' }),
  })

  // Skipped right after signing in: that redirect waits until the toast can be read.
  if (session.status === 'signed-in' && sending.isIdle && passkey.isIdle)
    return <Navigate to={paths.home} replace />

  return (
    <SignInPage
      startsSelling
      newHere={isOnTheWay}
      title={t('signIn.login.title')}
      intro={t(isOnTheWay ? 'signIn.login.introOnTheWay' : 'signIn.login.intro')}
      other={
        !isOnTheWay && (
          <Rich
            id="signIn.login.register"
            tags={{
              register: (text) => (
                <TextLink to={paths.register} replace>
                  {text}
                </TextLink>
              ),
            }}
          />
        )
      }
    >
      {accepted ? (
        <Suspense fallback={t('signIn.login.pending')}>
          <CodeStep credentials={accepted} onDone={onDone} onBack={() => setAccepted(undefined)} />
        </Suspense>
      ) : (
        <Form onSubmit={submit}>
          <TextField label={t('signIn.email')} type="email" autoComplete="username" {...field('email')} />
          <PasswordField
            label={t('signIn.password')}
            autoComplete="current-password"
            {...field('password')}
          />
          <p className="-my-3 text-right text-sm md:-mt-2 md:mb-0">
            <TextLink to={paths.forgotPassword} className="inline-flex min-h-11 items-center md:min-h-0">
              {t('signIn.login.forgot')}
            </TextLink>
          </p>
          {refusal && (
            <Notice tone="negative">
              {refusal.code === 'invalid_credentials' ? (
                <Rich
                  id="signIn.login.wrong"
                  tags={{ forgot: (text) => <TextLink to={paths.forgotPassword}>{text}</TextLink> }}
                />
              ) : (
                refusal.message
              )}
            </Notice>
          )}
          <Button type="submit" size="lg" wide loading={sending.isPending} disabled={sending.isSuccess}>
            {t(sending.isPending ? 'signIn.login.pending' : 'signIn.login.submit')}
          </Button>
          <PasskeyButton signIn={passkey}>{t('signIn.login.passkey')}</PasskeyButton>
        </Form>
      )}
    </SignInPage>
  )
}
