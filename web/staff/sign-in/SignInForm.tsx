import { Button } from '#web/kit/Button.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { CodeStep } from './CodeStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import { useLinkSignIn, useSignIn } from './use-sign-in.ts'

export function SignInForm() {
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
      The password is right, <b className="wrap-anywhere">{passed.username}</b>. Now the code of your
      authenticator app.
    </CodeStep>
  )
}

/** The link only opens this form: mail scanners and previews that fetch it do not use it up. */
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
        The link is right. Now the code of your authenticator app.
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
