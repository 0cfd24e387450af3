import { signIn } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { paths } from '#web/words/paths.ts'
import { SignInPage } from './SignInPage.tsx'

const fields = signIn.pick({ email: true })

/** Requests a link to set a new password. The response never says whether the account exists. */
export default function ForgotPassword() {
  const { sending, submit, field } = useCallForm({
    schema: fields,
    start: { email: '' },
    send: (body) => call(routes.forgotPassword, { body }),
    failed: (error) => ({
      title: 'Error',
      description: messageOf(error, 'The link could not be sent. Please try again.'),
    }),
  })
  return (
    <SignInPage
      title="Forgot your password?"
      intro="We email you a link to set a new one."
      other={
        <>
          Remembered it? <TextLink to={paths.login}>Sign in</TextLink>
        </>
      }
    >
      <Form onSubmit={submit}>
        <TextField label="Email" type="email" autoComplete="username" {...field('email')} />
        <Button type="submit" size="lg" wide loading={sending.isPending}>
          {sending.isPending ? 'Sending...' : sending.isSuccess ? 'Send Again' : 'Send Link'}
        </Button>
        <div aria-live="polite" className="empty:hidden">
          {sending.isSuccess && (
            <Notice tone="positive" title={sending.data.message}>
              The link works once, for one hour. If it does not arrive in a few minutes, check your spam
              folder.
            </Notice>
          )}
        </div>
      </Form>
    </SignInPage>
  )
}
