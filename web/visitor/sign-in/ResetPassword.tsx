import { Suspense } from 'react'
import { TextLink } from '#web/kit/Button.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { useSearchParams } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { NewPassword } from './NewPassword.tsx'
import { SignInPage } from './SignInPage.tsx'

const BadLink = lazyComponent(() => import('./BadLink.tsx').then((module) => module.BadLink))

/** Opened from the emailed link. */
export default function ResetPassword() {
  const t = useWords()
  const [address] = useSearchParams()
  const token = address.get('token')
  return (
    <SignInPage
      title={t('signIn.reset.title')}
      intro={t('signIn.reset.intro')}
      other={<TextLink to={paths.login}>{t('signIn.reset.login')}</TextLink>}
    >
      <Suspense>
        {token ? <NewPassword token={token} /> : <BadLink title={t('signIn.incomplete.title')} />}
      </Suspense>
    </SignInPage>
  )
}
