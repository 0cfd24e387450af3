import { routes } from '#contract/routes.ts'
import { Passkeys } from '#web/credentials/Passkeys.tsx'
import { SecondFactor } from '#web/credentials/SecondFactor.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { useWords } from '#web/words/words.ts'
import { StaffScreen } from '../../shell/StaffScreen.tsx'
import { useStaff } from '../../shell/use-staff.ts'

const factorCalls = {
  state: routes.secondFactor,
  start: routes.startSecondFactor,
  confirm: routes.confirmSecondFactor,
  renew: routes.renewAdminRecoveryCodes,
  stop: routes.stopSecondFactor,
  stopAsksPassword: false,
  affected: [routes.adminMe, routes.auditLog],
}

const passkeyCalls = {
  list: routes.adminPasskeys,
  start: routes.newAdminPasskey,
  add: routes.addAdminPasskey,
  remove: routes.removeAdminPasskey,
  affected: [routes.adminMe, routes.secondFactor, routes.auditLog],
}

export default function Security() {
  const t = useWords()
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
      <Panel className="mx-auto grid w-full max-w-3xl grid-cols-1 gap-5 lg:mt-4">
        <header className="grid gap-2">
          <h2 className="text-xl">{t('accountSecurity.factor.title')}</h2>
          <p className="max-w-prose text-soft">{t('accountSecurity.factor.text')}</p>
        </header>
        <SecondFactor calls={factorCalls} />
      </Panel>
      <Passkeys calls={passkeyCalls} className="mx-auto w-full max-w-3xl" />
    </StaffScreen>
  )
}
