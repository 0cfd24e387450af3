import { signIn } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { Navigate } from '#web/kit/router/index.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { useSession, useSetSession } from '#web/wire/session.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { paths } from '#web/words/paths.ts'
import { SignInPage, useSignInRedirect } from './SignInPage.tsx'

export default function Login() {
  const session = useSession()
  const setSession = useSetSession()
  const arrive = useSignInRedirect()
  const { sending, submit, field } = useCallForm({
    schema: signIn,
    start: { email: '', password: '' },
    send: (body) => call(routes.login, { body }),
    onDone: ({ user }) => {
      toast({ title: 'Welcome back!', description: 'You have been logged in successfully.' })
      setSession(user)
      arrive()
    },
    failed: (error) => ({ title: 'Login failed', description: messageOf(error, 'Invalid credentials') }),
  })

  // Not right after signing in: that redirect waits until the toast can be read.
  if (session.status === 'signed-in' && sending.isIdle) return <Navigate to={paths.home} replace />

  return (
    <SignInPage
      title="Sign In"
      intro="Good to see you again."
      other={
        <>
          New here? <TextLink to={paths.register}>Create an account</TextLink>
        </>
      }
    >
      <Form onSubmit={submit}>
        <TextField label="Email" type="email" autoComplete="username" {...field('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
        <p className="-mt-2 text-right text-sm">
          <TextLink to={paths.forgotPassword} className="inline-flex min-h-11 items-center md:min-h-0">
            Forgot your password?
          </TextLink>
        </p>
        <Button type="submit" size="lg" wide loading={sending.isPending} disabled={sending.isSuccess}>
          {sending.isPending ? 'Signing In...' : 'Sign In'}
        </Button>
      </Form>
    </SignInPage>
  )
}
