import { routes } from '#contract/routes.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { PasskeyList } from '#web/passkeys/Passkeys.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { AccountPage } from '../AccountPage.tsx'
import { SettingsSection } from '../SettingsSection.tsx'
import { SecondFactor } from './SecondFactor.tsx'

const passkeyCalls = {
  list: routes.passkeys,
  start: routes.newPasskey,
  add: routes.addPasskey,
  remove: routes.removePasskey,
  affected: [],
}

/** How the seller signs in. */
export default function AccountSecurity() {
  const t = useWords()
  return (
    <AccountPage title={t('accountSecurity.title')}>
      <SettingsSection title={t('passkeys.title')} intro={t('passkeys.intro')}>
        <PasskeyList calls={passkeyCalls} />
      </SettingsSection>
      <SettingsSection title={t('accountSecurity.factor.title')} intro={t('accountSecurity.factor.text')}>
        <SecondFactor />
      </SettingsSection>
      <SettingsSection title={t('accountSecurity.password.title')} intro={t('accountSecurity.password.text')}>
        <ButtonLink variant="secondary" to={paths.profile} className="sm:justify-self-start">
          {t('accountSecurity.password.link')}
        </ButtonLink>
      </SettingsSection>
    </AccountPage>
  )
}
