import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { accountRoutes, PASSWORD_LENGTH } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { call } from '../../api/call.ts'
import { ApiError, messageOf } from '../../api/errors.ts'
import { sessionKey } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { useNavigate, useSearchParams } from '../../router/index.ts'
import { Button, ButtonLink, TextLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { schemaResolver } from '../../ui/schema-resolver.ts'
import { toast } from '../../ui/toast.ts'
import { SignInPage } from './SignInPage.tsx'

const { password } = accountRoutes.resetPassword.body.shape
const passwords = z
  .object({ password, repeated: z.string() })
  .refine((typed) => typed.password === typed.repeated, {
    path: ['repeated'],
    message: 'The two passwords are not the same',
  })
type Passwords = z.input<typeof passwords>

/** Where the mailed link leads: sets a new password. */
export default function ResetPassword() {
  const [address] = useSearchParams()
  const token = address.get('token')
  return (
    <SignInPage
      title="Set a new password"
      bare={!token}
      intro="You are signed out everywhere, and sign in with the new one."
      other={<TextLink to={paths.login}>Back to sign in</TextLink>}
    >
      {token ? <NewPassword token={token} /> : <BadLink>The link is incomplete.</BadLink>}
    </SignInPage>
  )
}

function NewPassword({ token }: { token: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useForm<Passwords>({
    resolver: schemaResolver(passwords),
    defaultValues: { password: '', repeated: '' },
  })
  const { errors } = form.formState
  const reset = useMutation({
    mutationFn: (typed: Passwords) =>
      call(routes.resetPassword, { body: { token, password: typed.password } }),
    onSuccess: async () => {
      client.setQueryData(sessionKey, null)
      toast({ title: 'Password Changed', description: 'Please sign in with your new password.' })
      await navigate(paths.login, { replace: true })
    },
    onError: (error) => {
      const refused = refusedAt(error, 'password')
      if (refused) form.setError('password', { message: refused }, { shouldFocus: true })
      else if (!refusedAt(error, 'token')) {
        toast({
          title: 'Error',
          description: messageOf(error, 'Your password could not be changed. Please try again.'),
          variant: 'destructive',
        })
      }
    },
  })
  const badLink = refusedAt(reset.error, 'token')
  if (badLink) return <BadLink>{badLink}</BadLink>
  return (
    <form
      method="post"
      noValidate
      onSubmit={form.handleSubmit((typed) => reset.mutate(typed))}
      className="grid gap-5"
    >
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_LENGTH.min} characters`}
        error={errors.password?.message}
        {...form.register('password')}
      />
      <PasswordField
        label="Repeat new password"
        autoComplete="new-password"
        error={errors.repeated?.message}
        {...form.register('repeated')}
      />
      <Button type="submit" size="lg" wide loading={reset.isPending} disabled={reset.isSuccess}>
        {reset.isPending ? 'Saving...' : 'Set New Password'}
      </Button>
    </form>
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
          Ask for a new link
        </ButtonLink>
      }
    />
  )
}

function refusedAt(error: Error | null, field: string): string | undefined {
  return error instanceof ApiError ? error.errors.find(({ path }) => path === field)?.message : undefined
}
