import { type ComponentProps, Suspense } from 'react'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Notice } from '#web/kit/Notice.tsx'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { OpenChatButton } from './OpenChatButton.tsx'
import { priceOf, type QuotedEntry } from './sale-entry.ts'
import { codeOf, reasonOf, refusalsOf } from './use-submissions.ts'

// Loaded when it is needed, because few rates change while a card is entered.
const RateChanged = lazyComponent(() =>
  import('#web/cards/RateChanged.tsx').then((module) => module.RateChanged),
)

export function RateNotice(props: ComponentProps<typeof RateChanged>) {
  return (
    <Suspense>
      <RateChanged {...props} />
    </Suspense>
  )
}

/** Why a card cannot be submitted or was not accepted. Stays after the toast is gone, and says when trying again is safe. */
export function CardNotice({ entry }: { entry: QuotedEntry }) {
  const t = useWords()
  const { kept, rateChange, acceptRate, attempt } = entry
  if (rateChange) return <RateNotice change={rateChange} quote={priceOf(entry)} onAccept={acceptRate} />
  if (attempt?.state !== 'failed') return null
  const reason = reasonOf(attempt.error)
  switch (codeOf(attempt)) {
    case 'quote_changed':
      return (
        <Notice tone="caution" title={t('sellCard.quoteChanged')} urgent>
          {t('sellCard.quoteChanged.text', { message: reason })}
        </Notice>
      )
    case 'key_reused':
      return (
        <Notice title={t('sellCard.acceptedBefore')} urgent>
          {t('sellCard.acceptedBefore.text')}
        </Notice>
      )
    case 'submission_cleared':
      return (
        <Notice
          tone="caution"
          title={t('sellCard.removed')}
          urgent
          action={
            <Button variant="secondary" onClick={kept.renewKey}>
              {t('sellCard.removed.again')}
            </Button>
          }
        >
          {t('sellCard.removed.text', { message: reason })}
        </Notice>
      )
    case 'signed_out':
      return (
        <Notice
          tone="caution"
          title={t('sellCard.signedOut')}
          urgent
          action={
            // Leaving this screen would lose the numbers and photos.
            <TextLink to={paths.login} target="_blank">
              {t('sellCard.signedOut.signIn')}
            </TextLink>
          }
        >
          {t('sellCard.signedOut.text')}
        </Notice>
      )
    case 'seller_blocked':
      return (
        <Notice tone="negative" title={reason} action={<OpenChatButton />}>
          {t('sellCard.blocked.safe')}
        </Notice>
      )
    default:
      return (
        <Notice tone="negative" title={reason}>
          {/* A refused field must be corrected first. */}
          {refusalsOf(attempt.error).length === 0 && t('sellCard.failed.safe')}
        </Notice>
      )
  }
}
