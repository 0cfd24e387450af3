import { CodeStep } from './CodeStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import { useSignIn } from './use-sign-in.ts'

export function SignInForm() {
  const { login, passed, startAgain } = useSignIn()
  if (!passed) return <PasswordStep pending={login.isPending} onSubmit={login.mutate} />
  return (
    <CodeStep
      username={passed.username}
      pending={login.isPending}
      refusal={login.error}
      onCode={(code) => login.mutate({ ...passed, code })}
      onBack={startAgain}
    />
  )
}
