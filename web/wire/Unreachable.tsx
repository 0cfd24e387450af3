import { useQueryClient } from '@tanstack/react-query'
import { Button } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useWords } from '#web/words/words.ts'
import { askWhoAgain } from './session.ts'

/** Shown instead of a screen while the server does not answer who is signed in. */
export function Unreachable() {
  const t = useWords()
  const client = useQueryClient()
  return (
    <div className="measure py-8 md:py-16">
      <Notice
        tone="caution"
        title={t('site.unreachable.heading')}
        action={<Button onClick={() => void askWhoAgain(client)}>{t('site.unreachable.again')}</Button>}
      >
        {t('site.unreachable.text')}
      </Notice>
    </div>
  )
}
