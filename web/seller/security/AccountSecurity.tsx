import { routes } from '#contract/routes.ts'
import { PasskeyList } from '#web/credentials/Passkeys.tsx'
import { SecondFactor } from '#web/credentials/SecondFactor.tsx'
import { useSession } from '#web/wire/session.ts'
import { useWords } from '#web/words/words.ts'
import { AccountPage } from '../AccountPage.tsx'
import { SettingsSection } from '../SettingsSection.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { Protection } from './Protection.tsx'
import { Sessions } from './Sessions.tsx'

const factorCalls = {
  state: routes.sellerSecondFactor,
  start: routes.startSellerSecondFactor,
  confirm: routes.confirmSellerSecondFactor,
  renew: routes.renewRecoveryCodes,
  stop: routes.stopSellerSecondFactor,
  stopAsksPassword: true,
  affected: [],
}

const passkeyCalls = {
  list: routes.passkeys,
  start: routes.newPasskey,
  add: routes.addPasskey,
  remove: routes.removePasskey,
  affected: [],
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
        <SettingsSection title={t('accountSecurity.factor.title')} intro={t('accountSecurity.factor.text')}>
          <SecondFactor calls={factorCalls} confirmed={user.verified} />
        </SettingsSection>
        <SettingsSection title={t('passkeys.title')} intro={t('passkeys.intro')}>
          <PasskeyList calls={passkeyCalls} variant="secondary" />
        </SettingsSection>
        <SettingsSection title={t('profile.password.title')} intro={t('profile.password.intro')}>
          <PasswordForm email={user.email} />
        </SettingsSection>
        <SettingsSection title={t('profile.sessions.title')} intro={t('profile.sessions.intro')}>
          <Sessions />
        </SettingsSection>
      </div>
    </AccountPage>
  )
}
