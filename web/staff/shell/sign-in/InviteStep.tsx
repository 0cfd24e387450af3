import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { acceptance } from '#contract/staff-accounts.ts'
import { roleTable } from '#domain/roles.ts'
import { useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { QueryStatus } from '../QueryStatus.tsx'
import { useKeepAdministrator } from '../session.ts'

/** Creates the account that an emailed invitation offers. */
export function InviteStep({ token }: { token: string }) {
  const invitation = useQuery({
    queryKey: [routes.readInvitation.path, token],
    queryFn: ({ signal }) => call(routes.readInvitation, { body: { token }, signal }),
  })
  if (invitation.error instanceof ApiError && invitation.error.status === 400) {
    return (
      <Notice tone="caution" title="This invitation cannot be used">
        {invitation.error.message}
      </Notice>
    )
  }
  if (!invitation.isSuccess) return <QueryStatus query={invitation} noun="the invitation" />
  const { email, role, expiresAt } = invitation.data
  return (
    <div className="grid gap-5">
      <p>
        <b className="wrap-anywhere">{email}</b> is invited as {roleTable[role].withArticle}, until{' '}
        <Time at={expiresAt} as="dateTime" />. Choose how you will sign in.
      </p>
      <AccountForm token={token} />
    </div>
  )
}

function AccountForm({ token }: { token: string }) {
  const keepAdministrator = useKeepAdministrator()
  const { sending, submit, field } = useCallForm({
    schema: acceptance,
    start: { token, username: '', password: '' },
    send: (body) => call(routes.acceptInvitation, { body }),
    onDone: (admin) => {
      toast({ title: 'Welcome', description: 'Your account is ready, and you are signed in.' })
      keepAdministrator(admin)
    },
    failed: (error) =>
      error instanceof ApiError && error.errors.some(({ path }) => path !== 'token')
        ? undefined
        : { title: 'Account Not Created', description: messageOf(error, 'Please try again.') },
  })
  return (
    <Form onSubmit={submit}>
      <TextField
        label="Admin Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...field('username')}
      />
      <PasswordField
        label="Admin Password"
        autoComplete="new-password"
        hint="At least 8 characters"
        {...field('password')}
      />
      <Button type="submit" size="lg" wide loading={sending.isPending}>
        Create account
      </Button>
    </Form>
  )
}
