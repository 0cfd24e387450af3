import { ShieldAlert } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { adminSignIn } from '#contract/accounts.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Form, schemaResolver } from '#web/kit/Form.tsx'
import { LogoMark } from '#web/kit/Logo.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { Navigate, useLocation, useSearchParams } from '#web/kit/router/index.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { paths } from '#web/words/paths.ts'
import { productName } from '#web/words/site.ts'
import { sessionHasEnded, useStaffSession } from '../session.ts'
import { CodeStep } from './CodeStep.tsx'
import { type Credentials, useLinkSignIn, useSignIn } from './use-sign-in.ts'

export default function AdminLogin() {
  const session = useStaffSession()
  const state: unknown = useLocation().state
  if (session.status === 'signed-in') return <Navigate to={addressBefore(state) ?? paths.admin} replace />
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-6 px-4 py-10">
      <PageTitle>Admin Login</PageTitle>
      <header className="grid justify-items-center gap-3 text-center">
        <LogoMark className="h-8 w-auto text-accent" />
        <h1 className="text-2xl">{productName} Admin</h1>
      </header>
      {addressBefore(state) && sessionHasEnded() && (
        <Notice tone="caution" title="Your session has ended. Please sign in again." urgent />
      )}
      <Panel className="grid gap-6">
        <p className="flex gap-3 text-caution text-sm">
          <ShieldAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          This area is restricted to authorized administrators. Unauthorized access attempts are logged.
        </p>
        <SignInForm />
      </Panel>
      <p className="text-center">
        <TextLink to={paths.home} className="inline-flex min-h-11 items-center">
          Return to Homepage
        </TextLink>
      </p>
    </main>
  )
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
  return token ? <LinkSignIn token={token} /> : <PasswordSignIn />
}

function PasswordSignIn() {
  const { login, passed, startAgain } = useSignIn()
  if (!passed) return <PasswordStep pending={login.isPending} onSubmit={login.mutate} />
  return (
    <CodeStep
      pending={login.isPending}
      refusal={login.error}
      onCode={(code) => login.mutate({ ...passed, code })}
      onBack={startAgain}
    >
      Password accepted, <b className="wrap-anywhere">{passed.username}</b>. Enter the code from your
      authenticator app.
    </CodeStep>
  )
}

/** Needs a press, because mail scanners and link previews open the link too. */
function LinkSignIn({ token }: { token: string }) {
  const { login, wantsCode, startAgain } = useLinkSignIn(token)
  if (wantsCode) {
    return (
      <CodeStep
        pending={login.isPending}
        refusal={login.error}
        onCode={(code) => login.mutate(code)}
        onBack={startAgain}
      >
        Link accepted. Enter the code from your authenticator app.
      </CodeStep>
    )
  }
  return (
    <div className="grid gap-5">
      <p>This link signs you in once, without your password.</p>
      <Button size="lg" wide loading={login.isPending} onClick={() => login.mutate(undefined)}>
        Access Admin Panel
      </Button>
    </div>
  )
}

interface PasswordStepProps {
  pending: boolean
  onSubmit: (credentials: Credentials) => void
}

function PasswordStep({ pending, onSubmit }: PasswordStepProps) {
  const form = useForm<Credentials>({
    resolver: schemaResolver(adminSignIn),
    defaultValues: { username: '', password: '' },
  })
  const { errors } = form.formState
  return (
    <Form onSubmit={form.handleSubmit((fields) => onSubmit(fields))}>
      <TextField
        label="Admin Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username')}
      />
      <TextField
        label="Admin Password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password')}
      />
      <Button type="submit" size="lg" wide loading={pending}>
        Access Admin Panel
      </Button>
    </Form>
  )
}
