import type { SellerSubmission } from '#contract/submissions.ts'
import { useWords } from '#web/words/words.ts'

/** Tells readers of other languages why a text may be in English. */
export function WrittenByTeam({ card: { statusReason, reasonCode } }: { card: SellerSubmission }) {
  const t = useWords()
  if (t.locale === 'en' || !statusReason || reasonCode !== null) return null
  return <p className="text-soft">{t('processing.writtenByTeam')}</p>
}
