import { useMutation, useQuery } from '@tanstack/react-query'
import type { Administrator } from '#contract/administrators.ts'
import { type OidcOutcome, oidcOutcomes } from '#contract/oidc.ts'
import { routes } from '#contract/routes.ts'
import { CodeForm } from '#web/credentials/CodeForm.tsx'
import { Button, ButtonLink, buttonClass } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'

/** The provider through which staff can sign in: its button, and why it led back here. Nothing if there is none. */
export function ProviderSignIn({ outcome }: { outcome: string | null }) {
  const name = useQuery(read(routes.oidcProvider, {})).data?.name
  if (!name) return null
  return (
    <div className="grid gap-4">
      {isOutcome(outcome) && <Notice tone="caution" title={outcomeWords[outcome](name)} urgent />}
      <a
        href={routes.startOidc.path}
        className={buttonClass({ variant: 'secondary', size: 'lg', wide: true })}
      >
        Sign In with {name}
      </a>
    </div>
  )
}

const isOutcome = (text: string | null): text is OidcOutcome => oidcOutcomes.some((known) => known === text)

const outcomeWords: Readonly<Record<OidcOutcome, (provider: string) => string>> = {
  code_needed: (provider) =>
    `Signed in with ${provider}. The code from your authenticator app is needed too.`,
  passkey_needed: () => 'This shop requires a second factor. Sign in with your passkey.',
  cancelled: () => 'You cancelled the sign-in.',
  expired: () => 'The sign-in took too long, or it began in another browser. Please try again.',
  failed: (provider) => `The sign-in with ${provider} did not work. Try again, or use your password.`,
  unverified: (provider) => `${provider} has not verified your email address.`,
  uninvited: () => 'Your email address is not on the staff. Ask an owner to invite you.',
  disabled: () => 'Your account is disabled. Ask an owner to enable it.',
  other_identity: (provider) =>
    `Another account at ${provider} is in use for your email address. Ask the operator to reset it.`,
}

/** The second step after the provider has named an administrator with an authenticator app. */
export function ProviderCodeStep({ onDone }: { onDone: (admin: Administrator) => void }) {
  const login = useMutation({
    mutationFn: (code: string) => call(routes.oidcCode, { body: { code } }),
    onSuccess: onDone,
    onError: toastFailure('Login Failed', 'Please try again.'),
  })
  return (
    <div className="grid gap-5">
      <p>Almost there. Enter the code from your authenticator app.</p>
      <CodeForm
        label="Authentication Code"
        hint="Six digits, or one of your recovery codes"
        autoFocus
        refusal={login.error}
        onCode={(code) => login.mutate(code)}
      >
        <Button type="submit" size="lg" wide loading={login.isPending}>
          Access Admin Panel
        </Button>
        <ButtonLink to={paths.adminLogin} variant="quiet">
          Back
        </ButtonLink>
      </CodeForm>
    </div>
  )
}
