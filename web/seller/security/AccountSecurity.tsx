import { routes } from '#contract/routes.ts'
import { Credentials } from '#web/credentials/Credentials.tsx'
import { useSession } from '#web/wire/session.ts'
import { useWords } from '#web/words/words.ts'
import { AccountPage } from '../AccountPage.tsx'
import { Protection } from './Protection.tsx'

const calls = {
  factor: {
    state: routes.sellerSecondFactor,
    start: routes.startSellerSecondFactor,
    confirm: routes.confirmSellerSecondFactor,
    renew: routes.renewRecoveryCodes,
    stop: routes.stopSellerSecondFactor,
    stopAsksPassword: true,
    affected: [routes.mySessions],
  },
  passkeys: {
    list: routes.passkeys,
    start: routes.newPasskey,
    add: routes.addPasskey,
    remove: routes.removePasskey,
    affected: [],
  },
  password: { change: routes.changePassword, affected: [routes.mySessions] },
  sessions: { list: routes.mySessions, endOthers: routes.endOtherSessions },
}

/** How the seller signs in, and what keeps others out. */
export default function AccountSecurity() {
  const t = useWords()
  const { user } = useSession()
  if (!user) return null
  return (
    <AccountPage title={t('accountSecurity.title')}>
      <div className="grid grid-cols-1 gap-10 md:gap-12">
        <Protection user={user} />
        <Credentials calls={calls} username={user.email} confirmed={user.verified} />
      </div>
    </AccountPage>
  )
}
