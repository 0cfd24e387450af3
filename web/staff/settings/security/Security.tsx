import { routes } from '#contract/routes.ts'
import { Credentials } from '#web/credentials/Credentials.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { StaffScreen } from '../../shell/StaffScreen.tsx'
import { useStaff } from '../../shell/use-staff.ts'

const calls = {
  factor: {
    state: routes.secondFactor,
    start: routes.startSecondFactor,
    confirm: routes.confirmSecondFactor,
    renew: routes.renewAdminRecoveryCodes,
    stop: routes.stopSecondFactor,
    stopAsksPassword: false,
    affected: [routes.adminMe, routes.adminSessions, routes.auditLog],
  },
  passkeys: {
    list: routes.adminPasskeys,
    start: routes.newAdminPasskey,
    add: routes.addAdminPasskey,
    remove: routes.removeAdminPasskey,
    affected: [routes.adminMe, routes.secondFactor, routes.auditLog],
  },
  password: { change: routes.changeAdminPassword, affected: [routes.adminSessions, routes.auditLog] },
  sessions: { list: routes.adminSessions, endOthers: routes.endOtherAdminSessions },
}

export default function Security() {
  const { username, needsSecondFactor } = useStaff().admin
  return (
    <StaffScreen title="Security" intro="How you prove that it is you when you sign in.">
      <div className="mx-auto grid w-full max-w-6xl grid-cols-1 gap-10 lg:mt-4">
        {needsSecondFactor && (
          <Notice tone="caution" title="Set up your second factor first">
            This shop requires an authenticator app or a passkey. Until you have one, you can do nothing else
            here.
          </Notice>
        )}
        <Credentials calls={calls} username={username} incomplete={needsSecondFactor} />
      </div>
    </StaffScreen>
  )
}
