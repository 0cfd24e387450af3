import { useMutation } from '@tanstack/react-query'
import type { Answer } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { CodeForm } from '#web/credentials/CodeForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { call } from '#web/wire/call.ts'
import { ApiError, toastFailure } from '#web/wire/errors.ts'
import { useWords } from '#web/words/words.ts'

/** The second step of signing in: asks for a code after the right password. */
export function CodeStep({ credentials, onDone, onBack }: CodeStepProps) {
  const t = useWords()
  const login = useMutation({
    mutationFn: (code: string) => call(routes.login, { body: { ...credentials, code } }),
    onSuccess: onDone,
    onError: (error) => {
      toastFailure(t('signIn.login.failed'), t('signIn.login.failedText'))(error)
      // The password may have changed since the first step.
      if (error instanceof ApiError && error.code === 'invalid_credentials') onBack()
    },
  })
  return (
    <div className="grid gap-5">
      <p>{t('secondFactor.login.text')}</p>
      <CodeForm
        label={t('secondFactor.login.code')}
        hint={t('secondFactor.login.hint')}
        autoFocus
        refusal={login.error}
        onCode={(code) => login.mutate(code)}
      >
        <Button type="submit" size="lg" wide loading={login.isPending} disabled={login.isSuccess}>
          {t(login.isPending ? 'signIn.login.pending' : 'signIn.login.submit')}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          {t('secondFactor.login.back')}
        </Button>
      </CodeForm>
    </div>
  )
}

interface CodeStepProps {
  /** Accepted by the server, but a code is needed too. */
  credentials: { email: string; password: string }
  onDone: (answer: Answer<typeof routes.login>) => void
  onBack: () => void
}
