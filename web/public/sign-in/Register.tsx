import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { PASSWORD_LENGTH, registration } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { call } from '../../api/call.ts'
import { ApiError, messageOf } from '../../api/errors.ts'
import { useKeepUser, useSession } from '../../api/session.ts'
import { productName } from '../../copy/site.ts'
import { paths } from '../../paths.ts'
import { Navigate } from '../../router/index.ts'
import { Button, TextLink } from '../../ui/Button.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { schemaResolver } from '../../ui/schema-resolver.ts'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { SignInPage } from './SignInPage.tsx'
import { useArrival } from './use-arrival.ts'

type Registration = z.input<typeof registration>

const nothing: Registration = { firstName: '', lastName: '', username: '', email: '', password: '' }

export default function Register() {
  const session = useSession()
  const keepUser = useKeepUser()
  const arrive = useArrival()
  const form = useForm<Registration>({ resolver: schemaResolver(registration), defaultValues: nothing })
  const { errors } = form.formState

  const register = useMutation({
    mutationFn: (body: Registration) => call(routes.register, { body }),
    onSuccess: ({ user }) => {
      toast({
        title: `Welcome to ${productName}!`,
        description: 'Your account has been created successfully.',
      })
      keepUser(user)
      arrive()
    },
    onError: (error) => {
      toast({
        title: 'Registration failed',
        description: messageOf(error, 'Failed to create account'),
        variant: 'destructive',
      })
      showAtFields(error)
    },
  })

  /** A taken e-mail or username is known to the server only; what it says belongs at the field. */
  function showAtFields(error: Error) {
    if (!(error instanceof ApiError)) return
    for (const { path, message } of error.errors) {
      if (path in nothing) form.setError(path as keyof Registration, { message }, { shouldFocus: true })
    }
  }

  if (session.status === 'signed-in' && register.isIdle) return <Navigate to={paths.home} replace />

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
      <form
        method="post"
        noValidate
        onSubmit={form.handleSubmit((body) => register.mutate(body))}
        className="grid gap-5"
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="First name"
            autoComplete="given-name"
            error={errors.firstName?.message}
            {...form.register('firstName')}
          />
          <TextField
            label="Last name"
            autoComplete="family-name"
            error={errors.lastName?.message}
            {...form.register('lastName')}
          />
        </div>
        <TextField
          label="Username"
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username?.message}
          {...form.register('username')}
        />
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...form.register('email')}
        />
        <PasswordField
          label="Password"
          autoComplete="new-password"
          hint={`At least ${PASSWORD_LENGTH.min} characters`}
          error={errors.password?.message}
          {...form.register('password')}
        />
        <Button type="submit" size="lg" wide loading={register.isPending} disabled={register.isSuccess}>
          {register.isPending ? 'Creating Account...' : 'Create Account'}
        </Button>
      </form>
    </SignInPage>
  )
}
