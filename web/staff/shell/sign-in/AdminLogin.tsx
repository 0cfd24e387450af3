import { useMutation } from '@tanstack/react-query'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import { type Administrator, type adminLinkSignIn, adminSignIn } from '#contract/administrators.ts'
import { routes } from '#contract/routes.ts'
import { may } from '#domain/roles.ts'
import { CodeForm } from '#web/credentials/CodeForm.tsx'
import { PasskeyButton, usePasskeySignIn } from '#web/credentials/PasskeyButton.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { LogoMark } from '#web/kit/Logo.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { Navigate, useLocation, useSearchParams } from '#web/kit/router/index.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, toastFailure } from '#web/wire/errors.ts'
import { paths } from '#web/words/paths.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { sessionHasEnded, useKeepAdministrator, useStaffSession } from '../session.ts'
import { InviteStep } from './InviteStep.tsx'
import { ProviderCodeStep, ProviderSignIn } from './ProviderSignIn.tsx'

export default function AdminLogin() {
  const session = useStaffSession()
  const state: unknown = useLocation().state
  const [address] = useSearchParams()
  const invitation = address.get('invite')
  if (session.status === 'signed-in') {
    return <Navigate to={addressBefore(state) ?? firstScreen(session.user)} replace />
  }
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-6 px-4 py-10">
      <PageTitle>Admin Login</PageTitle>
      <header className="grid justify-items-center gap-3 text-center">
        <LogoMark className="h-8 w-auto text-accent" />
        <h1 className="text-2xl">{shopBrand.name} Admin</h1>
      </header>
      {addressBefore(state) && sessionHasEnded() && (
        <Notice tone="caution" title="Your session has ended. Please sign in again." urgent />
      )}
      <Panel className="grid gap-6">
        <p className="flex gap-3 text-caution text-sm">
          <ShieldAlert className="mt-0.5 size-5 shrink-0" />
          This area is restricted to authorized administrators. Unauthorized access attempts are logged.
        </p>
        {invitation === null ? <SignInForm /> : <InviteStep token={invitation} />}
      </Panel>
      <p className="text-center">
        <TextLink to={paths.home} className="inline-flex min-h-11 items-center">
          Return to Homepage
        </TextLink>
      </p>
    </main>
  )
}

/** The screen with the work of the role: a payer decides on nothing at the desk. */
function firstScreen({ role, needsSecondFactor }: Administrator): string {
  const paysOnly = may(role, 'pay') && !may(role, 'decide')
  return paysOnly && !needsSecondFactor ? paths.adminPayouts : paths.admin
}

/** The staff address that led here. Checked, because any page can write history state. */
function addressBefore(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined
  const { from } = state
  return typeof from === 'string' && /^\/admin(?:[/?]|$)/.test(from) ? from : undefined
}

function SignInForm() {
  const [address] = useSearchParams()
  const token = address.get('link')
  const outcome = address.get('oidc')
  const { login, accepted, startAgain, onDone } = useSignIn()
  if (outcome === 'code_needed') return <ProviderCodeStep onDone={onDone} />
  if (!accepted) {
    return token ? (
      <LinkStep pending={login.isPending} onPress={() => login.mutate({ token })} />
    ) : (
      <div className="grid gap-4">
        <PasswordStep pending={login.isPending} refusal={login.error} onSubmit={login.mutate} />
        <ProviderSignIn outcome={outcome} />
      </div>
    )
  }
  return (
    <div className="grid gap-5">
      <p>
        {'token' in accepted ? (
          'Link accepted. '
        ) : (
          <>
            Password accepted, <b className="wrap-anywhere">{accepted.username}</b>.{' '}
          </>
        )}
        Enter the code from your authenticator app.
      </p>
      <CodeForm
        label="Authentication Code"
        hint="Six digits, or one of your recovery codes"
        autoFocus
        refusal={login.error}
        onCode={(code) => login.mutate({ ...accepted, code })}
      >
        <Button type="submit" size="lg" wide loading={login.isPending}>
          Access Admin Panel
        </Button>
        <Button variant="quiet" onClick={startAgain}>
          Back
        </Button>
      </CodeForm>
    </div>
  )
}

/** Needs a press, because mail scanners and link previews open the link too. */
function LinkStep({ pending, onPress }: { pending: boolean; onPress: () => void }) {
  return (
    <div className="grid gap-5">
      <p>This link signs you in once, without your password.</p>
      <Button size="lg" wide loading={pending} onClick={onPress}>
        Access Admin Panel
      </Button>
    </div>
  )
}

type Password = z.input<typeof adminSignIn>

interface PasswordStepProps {
  pending: boolean
  refusal: Error | null
  onSubmit: (password: Password) => void
}

function PasswordStep({ pending, refusal, onSubmit }: PasswordStepProps) {
  const onDone = useArrival()
  const passkey = usePasskeySignIn({
    options: () => call(routes.adminPasskeyOptions, {}),
    verify: (body) => call(routes.adminPasskeySignIn, { body }),
    onDone,
    onError: toastFailure('Login Failed', 'Please try again.'),
  })
  const { handleSubmit, field } = useForm({
    schema: adminSignIn,
    start: { username: '', password: '' },
  })
  return (
    <Form onSubmit={handleSubmit(onSubmit)}>
      <TextField
        label="Admin Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...field('username')}
      />
      <PasswordField label="Admin Password" autoComplete="current-password" {...field('password')} />
      {/* The toast is gone after 5 seconds. */}
      {refusal instanceof ApiError && refusal.code === 'invalid_credentials' && (
        <Notice tone="negative" title="Username or password is wrong." urgent />
      )}
      <Button type="submit" size="lg" wide loading={pending}>
        Access Admin Panel
      </Button>
      <PasskeyButton signIn={passkey}>Sign In with a Passkey</PasskeyButton>
    </Form>
  )
}

/** A password, or a link from the command line. With a code if the second factor is on. */
type Credentials = Password | z.input<typeof adminLinkSignIn>

function useSignIn() {
  /** Credentials that the server accepted, but that still need a code. */
  const [accepted, setAccepted] = useState<Credentials>()

  const onDone = useArrival()
  const login = useMutation({
    mutationFn: (body: Credentials) =>
      'token' in body ? call(routes.adminLinkLogin, { body }) : call(routes.adminLogin, { body }),
    onSuccess: onDone,
    onError: (error, body) => {
      const { code, status } = error instanceof ApiError ? error : {}
      if (code === 'totp_required') return setAccepted(body)
      // The password may have changed since the first step.
      if (code === 'invalid_credentials') setAccepted(undefined)
      const failed = 'Login failed. Please check your credentials.'
      toastFailure('Login Failed', status === 401 ? 'Invalid admin credentials' : failed)(error)
    },
  })

  return {
    login,
    onDone,
    accepted,
    startAgain() {
      setAccepted(undefined)
      login.reset()
    },
  }
}

function useArrival(): (admin: Administrator) => void {
  const keepAdministrator = useKeepAdministrator()
  return (admin) => {
    toast({ title: 'Login Successful', description: 'Welcome to the admin dashboard.' })
    keepAdministrator(admin)
  }
}
