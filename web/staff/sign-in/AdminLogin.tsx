import { ShieldAlert } from 'lucide-react'
import { TextLink } from '#web/kit/Button.tsx'
import { LogoMark } from '#web/kit/Logo.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { Navigate, useLocation } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import { productName } from '#web/words/site.ts'
import { sessionHasEnded, useStaffSession } from '../session.ts'
import { SignInForm } from './SignInForm.tsx'

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

/** The staff's address that asked to sign in; history state is whatever a page put there, so it is looked at. */
function addressBefore(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('from' in state)) return undefined
  const { from } = state
  return typeof from === 'string' && /^\/admin(?:[/?]|$)/.test(from) ? from : undefined
}
