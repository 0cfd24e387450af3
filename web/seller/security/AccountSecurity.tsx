import { routes } from '#contract/routes.ts'
import { TextLink } from '#web/kit/Button.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader, Panel } from '#web/kit/Panel.tsx'
import { Passkeys } from '#web/passkeys/Passkeys.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { SellerNav } from '../SellerNav.tsx'
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
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>{t('accountSecurity.title')}</PageTitle>
      <PageHeader title={t('accountSecurity.title')} />
      <SellerNav />
      <Passkeys calls={passkeyCalls} className="max-w-3xl" />
      <Panel className="grid max-w-3xl gap-4">
        <h2 className="text-xl">{t('accountSecurity.password.title')}</h2>
        <p className="text-soft">{t('accountSecurity.password.text')}</p>
        <p>
          <TextLink to={paths.profile}>{t('accountSecurity.password.link')}</TextLink>
        </p>
      </Panel>
      <Panel className="grid max-w-3xl gap-4">
        <h2 className="text-xl">{t('accountSecurity.factor.title')}</h2>
        <SecondFactor />
      </Panel>
    </div>
  )
}
