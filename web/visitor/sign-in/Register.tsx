import { routes } from '#contract/routes.ts'
import { PASSWORD_LENGTH } from '#domain/password.ts'
import { toastOf, useCallForm } from '#web/forms/use-call-form.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { Navigate } from '#web/kit/router/index.ts'
import { readStored, writeStored } from '#web/kit/store.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError } from '#web/wire/errors.ts'
import { useSession, useSetSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { SignInPage, useSignInRedirect } from './SignInPage.tsx'

export default function Register() {
  const t = useWords()
  const session = useSession()
  const setSession = useSetSession()
  const arrive = useSignInRedirect()
  const { sending, submit, field } = useCallForm({
    schema: () => import('#contract/accounts.ts').then((contract) => contract.registration),
    start: { firstName: '', lastName: '', username: '', email: '', password: '' },
    send: (body) => call(routes.register, { body }),
    onDone: ({ user }) => {
      writeStored('sessionStorage', KEPT, null)
      toast({
        title: t('signIn.register.done'),
        description: t('signIn.register.doneText'),
      })
      setSession(user)
      arrive()
    },
    failed: toastOf(t('signIn.register.failed'), t('signIn.register.failedText')),
  })

  const email = field('email')
  const taken =
    sending.error instanceof ApiError && sending.error.errors.find(({ code }) => code === 'email_taken')

  if (session.status === 'signed-in' && sending.isIdle) return <Navigate to={paths.home} replace />

  return (
    <SignInPage
      startsSelling
      title={t('signIn.register.title')}
      intro={t('signIn.register.intro')}
      other={
        <Rich
          id="signIn.register.login"
          tags={{
            login: (text) => (
              <TextLink to={paths.login} replace>
                {text}
              </TextLink>
            ),
          }}
        />
      }
    >
      <Form ref={keepFields} onSubmit={submit}>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={t('signIn.register.firstName')}
            autoComplete="given-name"
            {...field('firstName')}
          />
          <TextField
            label={t('signIn.register.lastName')}
            autoComplete="family-name"
            {...field('lastName')}
          />
        </div>
        <TextField
          label={t('signIn.register.username')}
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          {...field('username')}
        />
        <TextField
          label={t('signIn.email')}
          type="email"
          autoComplete="email"
          hint={
            taken &&
            email.error === taken.message && (
              <Rich
                id="signIn.register.taken"
                tags={{
                  login: (text) => <TextLink to={paths.login}>{text}</TextLink>,
                  forgot: (text) => <TextLink to={paths.forgotPassword}>{text}</TextLink>,
                }}
              />
            )
          }
          {...email}
        />
        <PasswordField
          label={t('signIn.password')}
          autoComplete="new-password"
          hint={t('signIn.passwordHint', { count: PASSWORD_LENGTH.min })}
          {...field('password')}
        />
        <p className="text-soft text-sm">
          <Rich
            id="signIn.register.agree"
            tags={{
              terms: (text) => <TextLink to={paths.terms}>{text}</TextLink>,
              privacy: (text) => <TextLink to={paths.privacy}>{text}</TextLink>,
            }}
          />
        </p>
        <Button type="submit" size="lg" wide loading={sending.isPending} disabled={sending.isSuccess}>
          {t(sending.isPending ? 'signIn.register.pending' : 'signIn.register.submit')}
        </Button>
      </Form>
    </SignInPage>
  )
}

const KEPT = 'registration'

/**
 * Keeps what is typed, except the password, for the life of the tab: the terms are read before the form is sent. The form's `ref`.
 */
function keepFields(form: HTMLFormElement | null) {
  if (!form) return
  const names = ['firstName', 'lastName', 'username', 'email']
  const fields = names.map((name) => form.elements.namedItem(name) as HTMLInputElement)
  const kept = readStored('sessionStorage', KEPT)?.split('\n') ?? []
  fields.forEach((field, index) => {
    field.value ||= kept[index] ?? ''
  })
  const keep = () => writeStored('sessionStorage', KEPT, fields.map(({ value }) => value).join('\n'))
  form.addEventListener('input', keep)
  return () => form.removeEventListener('input', keep)
}
