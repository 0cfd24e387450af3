import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { FormActions } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { toast } from '#web/kit/toast.ts'
import { Passkeys } from '#web/passkeys/Passkeys.tsx'
import { read } from '#web/wire/read.ts'
import { CodeForm } from '#web/wire/second-factor/CodeForm.tsx'
import { RecoveryCodes } from '#web/wire/second-factor/RecoveryCodes.tsx'
import { QueryStatus } from '../QueryStatus.tsx'
import { StaffScreen } from '../StaffScreen.tsx'
import { useStaff } from '../use-staff.ts'
import { Enrollment } from './Enrollment.tsx'
import { useFactorCall } from './use-factor-call.ts'

const passkeyCalls = {
  list: routes.adminPasskeys,
  start: routes.newAdminPasskey,
  add: routes.addAdminPasskey,
  remove: routes.removeAdminPasskey,
  affected: [routes.adminMe, routes.secondFactor, routes.auditLog],
}

export default function Security() {
  return (
    <StaffScreen title="Security" intro="How you prove that it is you when you sign in.">
      {useStaff().admin.needsSecondFactor && (
        <div className="mx-auto w-full max-w-3xl">
          <Notice tone="caution" title="Set up your second factor first">
            This shop requires an authenticator app or a passkey. Until you have one, you can do nothing else
            here.
          </Notice>
        </div>
      )}
      <Panel className="mx-auto grid w-full max-w-3xl gap-6 lg:mt-4">
        <h2 className="text-xl">Second factor</h2>
        <SecondFactor />
      </Panel>
      <Passkeys calls={passkeyCalls} className="mx-auto w-full max-w-3xl" />
    </StaffScreen>
  )
}

function SecondFactor() {
  // Only here: the server cannot show them again.
  const [codes, setCodes] = useState<readonly string[]>()
  const query = useQuery({ ...read(routes.secondFactor, {}), staleTime: 0 })
  if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
  if (!query.isSuccess) return <QueryStatus query={query} noun="your second factor" />
  const { enabled, recoveryCodesLeft } = query.data
  return enabled ? (
    <SwitchedOn recoveryCodesLeft={recoveryCodesLeft} />
  ) : (
    <Enrollment onConfirmed={setCodes} />
  )
}

/** Below this number the screen asks to get new recovery codes. */
const MIN_RECOVERY_CODES = 3

function SwitchedOn({ recoveryCodesLeft }: { recoveryCodesLeft: number }) {
  const [stopping, setStopping] = useState(false)
  return (
    <>
      <p className="flex items-center gap-2 font-medium text-positive">
        <ShieldCheck className="size-5" />
        On. Signing in requires a code from your authenticator app.
      </p>
      <p className="text-soft">
        {recoveryCodesLeft} recovery {recoveryCodesLeft === 1 ? 'code' : 'codes'} left. Each signs you in once
        without the app.
      </p>
      {recoveryCodesLeft < MIN_RECOVERY_CODES && (
        <Notice tone="caution" title="Get new recovery codes">
          Switch the second factor off and set it up again to get ten new codes.
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
  const stop = useFactorCall(routes.stopSecondFactor, 'Not Switched Off', () =>
    toast({ title: 'Second Factor Off', description: 'Your password is enough to sign in from now on.' }),
  )
  return (
    <CodeForm
      label="Code"
      hint="Six digits from your authenticator app, or a recovery code"
      refusal={stop.error}
      onCode={(code) => stop.mutate({ body: { code } })}
    >
      <FormActions variant="danger" loading={stop.isPending} onCancel={onCancel}>
        Switch off
      </FormActions>
    </CodeForm>
  )
}
