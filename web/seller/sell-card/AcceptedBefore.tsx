import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import type { KeptDraft } from './use-drafts.ts'

/**
 * The draft's key was already used. Either a response was lost and this is the same card, or the tab was duplicated
 * and this is a different one. Only the seller knows.
 */
export function AcceptedBefore({ kept: { forget, renewKey } }: { kept: KeptDraft }) {
  const t = useWords()
  return (
    <div className="grid max-w-xl gap-4">
      <Notice tone="info" title={t('sellCard.acceptedBefore')} urgent>
        {t('sellCard.acceptedBefore.text')}
      </Notice>
      <div className="flex flex-col gap-2 sm:flex-row">
        <ButtonLink to={paths.processing} onClick={forget} size="lg">
          {t('sellCard.acceptedBefore.view')}
        </ButtonLink>
        <Button onClick={renewKey} size="lg" variant="secondary">
          {t('sellCard.acceptedBefore.otherCard')}
        </Button>
      </div>
    </div>
  )
}
