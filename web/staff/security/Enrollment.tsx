import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { Answer } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { toast } from '#web/kit/toast.ts'
import { AppSetup } from '#web/wire/second-factor/AppSetup.tsx'
import { useFactorCall } from './use-factor-call.ts'

/** Switches the second factor on: shows the secret for the app, then checks a code. */
export function Enrollment({ onConfirmed }: { onConfirmed: (recoveryCodes: string[]) => void }) {
  const [secret, setSecret] = useState<Answer<typeof routes.startSecondFactor>>()
  const start = useFactorCall(routes.startSecondFactor, 'Not Started', setSecret)
  const confirm = useFactorCall(routes.confirmSecondFactor, 'Not Switched On', ({ recoveryCodes }) => {
    toast({
      title: 'Second Factor On',
      description: 'You will need a code to sign in from now on. All other browsers are signed out.',
    })
    onConfirmed(recoveryCodes)
  })
  if (secret) {
    return (
      <AppSetup
        {...secret}
        confirm={confirm}
        onCode={(code) => confirm.mutate({ body: { code } })}
        onCancel={() => setSecret(undefined)}
      />
    )
  }
  return (
    <>
      <p className="max-w-prose text-soft">
        Off. Anyone who learns your password can sign in. With a second factor they would also need your
        phone, where an authenticator app shows a new code every 30 seconds. Switching it on signs you out of
        all other browsers.
      </p>
      <Button
        loading={start.isPending}
        onClick={() => start.mutate({})}
        icon={<ShieldCheck className="size-5" />}
        className="justify-self-start"
      >
        Set up second factor
      </Button>
    </>
  )
}
