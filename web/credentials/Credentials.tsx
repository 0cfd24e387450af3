import { SettingsSection } from '#web/kit/SettingsSection.tsx'
import { useWords } from '#web/words/words.ts'
import { type PasskeyCalls, Passkeys } from './Passkeys.tsx'
import { type PasswordCalls, PasswordForm } from './PasswordForm.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { type SessionCalls, Sessions } from './Sessions.tsx'
import type { SecondFactorCalls } from './second-factor-steps.tsx'

/** How a seller or an administrator signs in, as sections of a screen. */
export function Credentials({ calls, username, confirmed = true, incomplete }: CredentialsProps) {
  const t = useWords()
  return (
    <>
      <SettingsSection title={t('accountSecurity.factor.title')} intro={t('accountSecurity.factor.text')}>
        <SecondFactor calls={calls.factor} confirmed={confirmed} />
      </SettingsSection>
      <SettingsSection title={t('passkeys.title')} intro={t('passkeys.intro')}>
        <Passkeys calls={calls.passkeys} />
      </SettingsSection>
      {!incomplete && (
        <>
          <SettingsSection title={t('profile.password.title')} intro={t('profile.password.intro')}>
            <PasswordForm calls={calls.password} username={username} />
          </SettingsSection>
          <SettingsSection title={t('profile.sessions.title')} intro={t('profile.sessions.intro')}>
            <Sessions calls={calls.sessions} />
          </SettingsSection>
        </>
      )}
    </>
  )
}

interface CredentialsProps {
  calls: {
    factor: SecondFactorCalls
    passkeys: PasskeyCalls
    password: PasswordCalls
    sessions: SessionCalls
  }
  /** For password managers: what the person types to sign in. */
  username: string
  /** Whether the address is confirmed, which a second factor needs. */
  confirmed?: boolean
  /** Whether the server refuses all but setting up a second factor. */
  incomplete?: boolean
}
