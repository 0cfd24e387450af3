import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { Answer, Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { AppSetup } from '#web/credentials/AppSetup.tsx'
import { CodeForm } from '#web/credentials/CodeForm.tsx'
import { Passkeys } from '#web/credentials/Passkeys.tsx'
import { PasswordDialog } from '#web/credentials/PasswordDialog.tsx'
import { RecoveryCodes } from '#web/credentials/RecoveryCodes.tsx'
import { Button } from '#web/kit/Button.tsx'
import { FormActions } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { toast } from '#web/kit/toast.ts'
import { type CallOptions, call } from '#web/wire/call.ts'
import { ApiError, messageOf, toastFailure } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'
import { QueryStatus } from '../QueryStatus.tsx'
import { StaffScreen } from '../StaffScreen.tsx'
import { useStaff } from '../use-staff.ts'

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
        <h2 className="-mb-4 text-xl">Second factor</h2>
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

/** Switches the second factor on: shows the secret for the app, then checks a code. */
function Enrollment({ onConfirmed }: { onConfirmed: (recoveryCodes: string[]) => void }) {
  const [secret, setSecret] = useState<Answer<typeof routes.startSecondFactor>>()
  const [starting, setStarting] = useState(false)
  const confirm = useFactorCall(routes.confirmSecondFactor, 'Not Switched On', ({ recoveryCodes }) => {
    toast({
      title: 'Second Factor On',
      description: 'You will need a code to sign in from now on. All other browsers are signed out.',
    })
    onConfirmed(recoveryCodes)
  })
  if (secret && !starting) {
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
      <div className="grid gap-2">
        <p className="flex items-start gap-2 font-medium text-caution">
          <ShieldAlert className="mt-0.5 size-5 shrink-0" />
          Off. Anyone who learns your password can sign in.
        </p>
        <p className="max-w-prose text-soft">
          With a second factor they would also need your phone, where an authenticator app shows a new code
          every 30 seconds. Switching it on signs you out of all other browsers.
        </p>
      </div>
      <Button
        onClick={() => setStarting(true)}
        icon={<ShieldCheck className="size-5" />}
        className="justify-self-start"
      >
        Set up second factor
      </Button>
      <PasswordDialog
        open={starting}
        onClose={() => setStarting(false)}
        title="Set up second factor"
        description="Enter your password. Then you scan a QR code with your authenticator app."
        label="Your password"
        submit="Continue"
        send={async (password) => setSecret(await call(routes.startSecondFactor, { body: { password } }))}
        onDone={() => setStarting(false)}
        failed={(error) =>
          error instanceof ApiError && error.errors.length > 0
            ? undefined
            : { title: 'Not Started', description: messageOf(error, 'Please try again.') }
        }
      />
    </>
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

/** A call that changes the second factor. Refetches its state, also after a failure. */
function useFactorCall<R extends Route>(route: R, failure: string, onDone: (answer: Answer<R>) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (options: CallOptions<R>) => call(route, options),
    onSuccess: onDone,
    onError: toastFailure(failure, 'Please try again.'),
    onSettled: () => refresh(client, routes.secondFactor, routes.adminMe, routes.auditLog),
  })
}
