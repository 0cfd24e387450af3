import { useQuery } from '@tanstack/react-query'
import { Shield, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { SettingsSection } from '#web/kit/SettingsSection.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { read } from '#web/wire/read.ts'
import { useWords } from '#web/words/words.ts'
import { ConfirmEmailNotice } from '../ConfirmEmailNotice.tsx'

/** What keeps others out of the account, and whether it is on. */
export function Protection({ user }: { user: User }) {
  const t = useWords()
  const { data: factor } = useQuery({ ...read(routes.sellerSecondFactor, {}), staleTime: 0 })
  const { data: passkeys } = useQuery(read(routes.passkeys, {}))
  const { data: sessions } = useQuery(read(routes.mySessions, {}))
  return (
    <SettingsSection
      title={t('accountSecurity.protection.title')}
      intro={t('accountSecurity.protection.intro')}
    >
      <dl className="-my-3 divide-y divide-line">
        <Row
          name={t('profile.personal.email')}
          isOn={user.verified}
          state={t(
            user.verified ? 'accountSecurity.protection.confirmed' : 'accountSecurity.protection.unconfirmed',
          )}
        />
        <Row
          name={t('accountSecurity.factor.title')}
          isOn={factor?.enabled}
          state={
            factor && t(factor.enabled ? 'accountSecurity.protection.on' : 'accountSecurity.protection.off')
          }
        />
        <Row
          name={t('passkeys.title')}
          isOn={passkeys && passkeys.length > 0 ? true : undefined}
          state={passkeys && t('accountSecurity.protection.passkeys', { count: passkeys.length })}
        />
        <Row
          name={t('profile.sessions.title')}
          isOn={sessions?.length === 1 ? true : undefined}
          state={sessions && t('accountSecurity.protection.sessions', { count: sessions.length })}
        />
      </dl>
      {!user.verified && <ConfirmEmailNotice user={user} />}
    </SettingsSection>
  )
}

function Row({ name, isOn, state }: RowProps) {
  const Icon = isOn ? ShieldCheck : isOn === false ? ShieldAlert : Shield
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 py-2">
      <Icon
        aria-hidden="true"
        className={`size-5 shrink-0 ${isOn ? 'text-positive' : isOn === false ? 'text-caution' : 'text-soft'}`}
      />
      <dt className="flex-1">{name}</dt>
      <dd className="ml-auto text-right font-medium">{state ?? <Skeleton className="h-5 w-24" />}</dd>
    </div>
  )
}

interface RowProps {
  name: string
  /** Undefined where off is fine, and while it is loading. */
  isOn: boolean | undefined
  state: string | undefined
}
