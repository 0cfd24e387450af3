import { useQueryClient } from '@tanstack/react-query'
import { Button } from '#web/kit/Button.tsx'
import { Failed } from '#web/kit/Failed.tsx'
import { useWords } from '#web/words/words.ts'
import { refetchSession } from './session.ts'

/** Shown instead of a screen while the server does not answer who is signed in. */
export function Unreachable() {
  const t = useWords()
  const client = useQueryClient()
  return (
    <Failed as="h2" heading={t('site.unreachable.heading')} text={t('site.unreachable.text')}>
      <Button onClick={() => void refetchSession(client)}>{t('site.unreachable.again')}</Button>
    </Failed>
  )
}
