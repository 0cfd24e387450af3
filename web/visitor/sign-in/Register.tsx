import { PASSWORD_LENGTH, registration } from '#contract/accounts.ts'
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
import { productName } from '#web/words/site.ts'
import { SignInPage, useSignInRedirect } from './SignInPage.tsx'

export default function Register() {
  const session = useSession()
  const setSession = useSetSession()
  const arrive = useSignInRedirect()
  const { sending, submit, field } = useCallForm({
    schema: registration,
    start: { firstName: '', lastName: '', username: '', email: '', password: '' },
    send: (body) => call(routes.register, { body }),
    onDone: ({ user }) => {
      toast({
        title: `Welcome to ${productName}!`,
        description: 'Your account has been created successfully.',
      })
      setSession(user)
      arrive()
    },
    failed: (error) => ({
      title: 'Registration failed',
      description: messageOf(error, 'Failed to create account'),
    }),
  })

  if (session.status === 'signed-in' && sending.isIdle) return <Navigate to={paths.home} replace />

  return (
    <SignInPage
      title="Create Account"
      intro="Free, and only needed once you want to sell."
      other={
        <>
          Already have an account? <TextLink to={paths.login}>Sign in</TextLink>
        </>
      }
    >
      <Form onSubmit={submit}>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label="First name" autoComplete="given-name" {...field('firstName')} />
          <TextField label="Last name" autoComplete="family-name" {...field('lastName')} />
        </div>
        <TextField
          label="Username"
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          {...field('username')}
        />
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint={`At least ${PASSWORD_LENGTH.min} characters`}
          {...field('password')}
        />
        <p className="text-pretty text-soft text-sm">
          By creating an account you agree to our <TextLink to={paths.terms}>Terms of Service</TextLink> and{' '}
          <TextLink to={paths.privacy}>Privacy Policy</TextLink>.
        </p>
        <Button type="submit" size="lg" wide loading={sending.isPending} disabled={sending.isSuccess}>
          {sending.isPending ? 'Creating Account...' : 'Create Account'}
        </Button>
      </Form>
    </SignInPage>
  )
}
