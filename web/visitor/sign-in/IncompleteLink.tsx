import { Notice } from '#web/kit/Notice.tsx'
import { useWords } from '#web/words/words.ts'

/** Shown instead of the form when an emailed link lacks its token. */
export function IncompleteLink() {
  const t = useWords()
  return (
    <Notice tone="negative" title={t('signIn.incomplete.title')} urgent>
      {t('signIn.incomplete.text')}
    </Notice>
  )
}
