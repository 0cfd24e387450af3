import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { accountRoutes } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/errors.ts'
import { paths } from '../../paths.ts'
import { Button, TextLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { schemaResolver } from '../../ui/schema-resolver.ts'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { SignInPage } from './SignInPage.tsx'

const request = accountRoutes.forgotPassword.body
type Request = z.input<typeof request>

/** Asks for a link that sets a new password. The answer never says whether there is such an account. */
export default function ForgotPassword() {
  const form = useForm<Request>({ resolver: schemaResolver(request), defaultValues: { email: '' } })
  const ask = useMutation({
    mutationFn: (body: Request) => call(routes.forgotPassword, { body }),
    onError: (error) =>
      toast({
        title: 'Error',
        description: messageOf(error, 'The link could not be sent. Please try again.'),
        variant: 'destructive',
      }),
  })
  return (
    <SignInPage
      title="Forgot your password?"
      intro="We mail you a link that sets a new one."
      other={
        <>
          Remembered it? <TextLink to={paths.login}>Sign in</TextLink>
        </>
      }
    >
      <form
        method="post"
        noValidate
        onSubmit={form.handleSubmit((body) => ask.mutate(body))}
        className="grid gap-5"
      >
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          error={form.formState.errors.email?.message}
          {...form.register('email')}
        />
        <Button type="submit" size="lg" wide loading={ask.isPending}>
          {ask.isPending ? 'Sending...' : ask.isSuccess ? 'Send Again' : 'Send Link'}
        </Button>
        <div aria-live="polite" className="empty:hidden">
          {ask.isSuccess && (
            <Notice tone="positive" title={ask.data.message}>
              It works once, for one hour. Nothing there after a few minutes? Look in your spam folder.
            </Notice>
          )}
        </div>
      </form>
    </SignInPage>
  )
}
