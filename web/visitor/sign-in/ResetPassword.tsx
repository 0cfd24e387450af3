import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { PASSWORD_LENGTH, passwordChange } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
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
import { SignInPage } from './SignInPage.tsx'

const passwords = z
  .object({ password: passwordChange.shape.newPassword, repeated: z.string() })
  .refine((typed) => typed.password === typed.repeated, {
    path: ['repeated'],
    message: 'The two passwords are not the same',
  })

/** Opened from the emailed link. */
export default function ResetPassword() {
  const [address] = useSearchParams()
  const token = address.get('token')
  return (
    <SignInPage
      title="Set a new password"
      bare={!token}
      intro="This signs you out everywhere. Sign in again with the new one."
      other={<TextLink to={paths.login}>Back to sign in</TextLink>}
    >
      {token ? <NewPassword token={token} /> : <BadLink>The link is incomplete.</BadLink>}
    </SignInPage>
  )
}

function NewPassword({ token }: { token: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { sending, submit, field } = useCallForm({
    schema: passwords,
    start: { password: '', repeated: '' },
    send: ({ password }) => call(routes.resetPassword, { body: { token, password } }),
    onDone: ({ message }) => {
      client.setQueryData(sessionKey, null)
      toast({ title: 'Password Changed', description: message })
      void navigate(paths.login, { replace: true })
    },
    failed: (error) => {
      if (refusedAt(error, 'password') || refusedAt(error, 'token')) return undefined
      const description = messageOf(error, 'Your password could not be changed. Please try again.')
      return { title: 'Error', description }
    },
  })
  const badLink = refusedAt(sending.error, 'token')
  if (badLink) return <BadLink>{badLink}</BadLink>
  return (
    <Form onSubmit={submit}>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_LENGTH.min} characters`}
        {...field('password')}
      />
      <PasswordField label="Repeat new password" autoComplete="new-password" {...field('repeated')} />
      <Button type="submit" size="lg" wide loading={sending.isPending} disabled={sending.isSuccess}>
        {sending.isPending ? 'Saving...' : 'Set New Password'}
      </Button>
    </Form>
  )
}

function BadLink({ children }: { children: string }) {
  return (
    <Notice
      tone="negative"
      title={children}
      urgent
      action={
        <ButtonLink to={paths.forgotPassword} variant="secondary">
          Get a new link
        </ButtonLink>
      }
    />
  )
}

function refusedAt(error: Error | null, field: string): string | undefined {
  return error instanceof ApiError ? error.errors.find(({ path }) => path === field)?.message : undefined
}
