import { useEffect, useRef, useState } from 'react'
import type { Brand } from '#domain/brands.ts'
import { toDecimal } from '#domain/money.ts'
import { MAX_PHOTO_BYTES, MAX_PHOTOS, PHOTO_ACCEPT } from '#domain/photo-files.ts'
import { quote as quoteFor } from '#domain/quote.ts'
import { type RateChange, rateChangeText, useRateChange } from '#web/cards/RateChange.tsx'
import { useBrands } from '#web/cards/use-brands.ts'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { usePhotos } from '#web/kit/photos/use-photos.ts'
import { useSearchParams } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { paths } from '#web/words/paths.ts'
import { QuoteStep } from './QuoteStep.tsx'
import { Steps } from './Steps.tsx'
import { SubmissionStep } from './SubmissionStep.tsx'
import { UploadProgress } from './SubmitBar.tsx'
import { useDraft } from './use-draft.ts'
import { useSubmission } from './use-submission.ts'

/** The sale of one card. What was filled in is kept here, so that nothing is lost on the way back to the quote. */
export function Sale({ brand, userId }: { brand: Brand; userId: string }) {
  const [address, setAddress] = useSearchParams()
  const { isFetched } = useBrands()
  const rate = useRateChange(brand, isFetched)
  const [value, setValue] = useState(address.get('value') ?? '')
  const kept = useDraft(userId, brand.value)
  const submission = useSubmission(kept)
  const photos = usePhotos({ max: MAX_PHOTOS, maxBytes: MAX_PHOTO_BYTES, accept: PHOTO_ACCEPT })
  const { quote, problem } = quoteFor(brand, value)
  // The address holds the step: a reload stays in it, and the browser's Back leads to the quote.
  const step = address.get('step') === '2' && quote ? 2 : 1
  const place = useStepStart(step)
  useAnnouncement(step === 2 && !submission.newQuote ? rate.change : undefined)

  function goTo(next: 1 | 2) {
    if (next === 2) rate.accept()
    const query = { brand: brand.value, value, quote: toDecimal(quote?.pays ?? 0) }
    setAddress(next === 2 ? { ...query, step: '2' } : query, { replace: next === 1 })
  }

  if (submission.acceptedBefore) return <AcceptedBefore kept={kept} />
  return (
    <div ref={place} tabIndex={-1} className="grid grid-cols-1 gap-6 outline-none md:gap-8">
      <Steps current={step} names={['Your quote', 'Card, photos and payout']} />
      {step === 2 && quote ? (
        <SubmissionStep
          quote={quote}
          kept={kept}
          submission={submission}
          rate={rate}
          photos={photos}
          onBack={() => goTo(1)}
        />
      ) : submission.sending ? (
        // The browser's Back leads here. What was sent can no longer be changed.
        <Panel aria-label="Your submission" className="grid max-w-xl gap-3">
          <p className="font-medium">Your card is being submitted. Its confirmation comes next.</p>
          <UploadProgress share={submission.share} />
        </Panel>
      ) : (
        <QuoteStep
          brand={brand}
          value={value}
          onValue={setValue}
          quote={quote}
          problem={problem}
          rateChange={rate.change}
          onContinue={() => goTo(2)}
        />
      )}
    </div>
  )
}

/**
 * The seller changed something after an answer got lost, and the card must not be submitted a second time. Or the tab was
 * duplicated, draft and key included, and this is another card: only the seller knows.
 */
function AcceptedBefore({ kept: { forget, renewKey } }: { kept: ReturnType<typeof useDraft> }) {
  return (
    <div className="grid max-w-xl gap-4">
      <Notice tone="info" title="You already submitted this form" urgent>
        An earlier attempt, perhaps in another tab, reached us. What you changed since then was not sent, and
        nothing was submitted twice.
      </Notice>
      <div className="flex flex-col gap-2 sm:flex-row">
        <ButtonLink to={paths.processing} onClick={forget} size="lg">
          View Submission
        </ButtonLink>
        <Button onClick={renewKey} size="lg" variant="secondary">
          This Is Another Card
        </Button>
      </div>
    </div>
  )
}

/** On the long form, the notice about the rate can be out of sight. */
function useAnnouncement(change: RateChange | undefined): void {
  const title = change && rateChangeText(change)
  const variant = change && change.to < change.from ? 'destructive' : 'default'
  useEffect(() => {
    if (title) toast({ title, description: 'Please accept the new quote before you submit.', variant })
  }, [title, variant])
}

/** A step begins at its top, for the eyes and for the keyboard. */
function useStepStart(step: number) {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    place.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [step])
  return place
}
