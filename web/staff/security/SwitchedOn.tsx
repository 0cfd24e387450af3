import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { toast } from '#web/kit/toast.ts'
import { CodeForm } from './CodeForm.tsx'
import { useFactorCall } from './use-factor-call.ts'

/** So few recovery codes are a reason to get new ones. */
const FEW = 3

export function SwitchedOn({ recoveryCodesLeft }: { recoveryCodesLeft: number }) {
  const [stopping, setStopping] = useState(false)
  return (
    <>
      <p className="flex items-center gap-2 font-medium text-positive">
        <ShieldCheck aria-hidden="true" className="size-5" />
        On. A code of your authenticator app is asked for at sign-in.
      </p>
      <p className="text-soft">
        {recoveryCodesLeft} recovery {recoveryCodesLeft === 1 ? 'code' : 'codes'} left, each of which signs
        you in once without the app.
      </p>
      {recoveryCodesLeft < FEW && (
        <Notice tone="caution" title="Get new recovery codes">
          Switch the second factor off and set it up again: you will be given ten new ones.
        </Notice>
      )}
      {stopping ? (
        <SwitchOff onCancel={() => setStopping(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setStopping(true)} className="justify-self-start">
          Switch off
        </Button>
      )}
    </>
  )
}

function SwitchOff({ onCancel }: { onCancel: () => void }) {
  const stop = useFactorCall(routes.stopSecondFactor, {
    failure: 'Not Switched Off',
    onDone: () => toast({ title: 'Second Factor Off', description: 'From now on your password is enough.' }),
  })
  return (
    <CodeForm
      hint="Six digits of your authenticator app, or a recovery code"
      submit="Switch off"
      variant="danger"
      pending={stop.isPending}
      refusal={stop.error}
      onCode={(code) => stop.mutate({ body: { code } })}
      onCancel={onCancel}
    />
  )
}
