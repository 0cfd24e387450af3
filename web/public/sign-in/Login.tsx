import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { signIn } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/errors.ts'
import { useKeepUser, useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Navigate } from '../../router/index.ts'
import { Button, TextLink } from '../../ui/Button.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { schemaResolver } from '../../ui/schema-resolver.ts'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { SignInPage } from './SignInPage.tsx'
import { useArrival } from './use-arrival.ts'

export default function Login() {
  const session = useSession()
  const keepUser = useKeepUser()
  const arrive = useArrival()
  const form = useForm<z.input<typeof signIn>>({
    resolver: schemaResolver(signIn),
    defaultValues: { email: '', password: '' },
  })
  const { errors } = form.formState

  const login = useMutation({
    mutationFn: (body: z.input<typeof signIn>) => call(routes.login, { body }),
    onSuccess: ({ user }) => {
      toast({ title: 'Welcome back!', description: 'You have been logged in successfully.' })
      keepUser(user)
      arrive()
    },
    onError: (error) =>
      toast({
        title: 'Login failed',
        description: messageOf(error, 'Invalid credentials'),
        variant: 'destructive',
      }),
  })

  // Not while signing in: that leads on by itself, once the toast could be read.
  if (session.status === 'signed-in' && login.isIdle) return <Navigate to={paths.home} replace />

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
      <form
        method="post"
        noValidate
        onSubmit={form.handleSubmit((body) => login.mutate(body))}
        className="grid gap-5"
      >
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          error={errors.email?.message}
          {...form.register('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...form.register('password')}
        />
        <p className="-mt-2 text-right text-sm">
          <TextLink to={paths.forgotPassword} className="inline-flex min-h-11 items-center md:min-h-0">
            Forgot your password?
          </TextLink>
        </p>
        <Button type="submit" size="lg" wide loading={login.isPending} disabled={login.isSuccess}>
          {login.isPending ? 'Signing In...' : 'Sign In'}
        </Button>
      </form>
    </SignInPage>
  )
}
