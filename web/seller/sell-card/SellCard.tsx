import { Check } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Brand } from '#domain/brands.ts'
import { toDecimal } from '#domain/money.ts'
import { MAX_PHOTO_BYTES, MAX_PHOTOS, PHOTO_ACCEPT } from '#domain/photo-files.ts'
import { brandToSell, quote as quoteFor } from '#domain/quote.ts'
import { type RateChange, rateChangeText, useRateChange } from '#web/cards/RateChange.tsx'
import { cardName } from '#web/cards/text.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { usePhotos } from '#web/kit/photos/use-photos.ts'
import { useSearchParams } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { useSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { translate, useWords } from '#web/words/words.ts'
import type { Draft } from './draft.ts'
import { QuoteStep } from './QuoteStep.tsx'
import { Resubmission } from './Resubmission.tsx'
import { SubmissionStep } from './SubmissionStep.tsx'
import { UploadProgress } from './SubmitBar.tsx'
import { useDraft } from './use-draft.ts'
import { useSubmission } from './use-submission.ts'

/** Two steps: check the quote, then enter the card, photos and payout. */
export default function SellCard() {
  const t = useWords()
  const [address] = useSearchParams()
  const { brands } = useBrands()
  const { user } = useSession()
  // Anyone can edit the address, so the brand is checked and the quote computed again.
  const brand = brandToSell(address.get('brand') ?? '', brands)
  const resubmissionOf = address.get('resubmissionOf')
  return (
    <div className="measure grid grid-cols-1 gap-6 py-6 md:gap-8 md:py-12">
      <PageTitle>{t('sellCard.title')}</PageTitle>
      {/* Smaller than the amount, which matters more. */}
      <h1 className="wrap-anywhere text-2xl lg:text-3xl">
        {brand ? t('sellCard.heading', { card: cardName(brand.name) }) : t('sellCard.title')}
      </h1>
      {!brand || !user ? (
        <NoBrand brand={brand} />
      ) : resubmissionOf ? (
        <Resubmission key={resubmissionOf} id={resubmissionOf}>
          {(start) => <Sale brand={brand} userId={user.id} resubmissionOf={resubmissionOf} start={start} />}
        </Resubmission>
      ) : (
        <Sale key={brand.value} brand={brand} userId={user.id} />
      )}
    </div>
  )
}

function NoBrand({ brand }: { brand: ReturnType<typeof brandToSell> }) {
  const t = useWords()
  const { problem } = quoteFor(brand, '')
  return (
    <EmptyState
      title={problem && t(`fields.${problem.code}`, problem.params)}
      action={<ButtonLink to={paths.getQuote}>{t('sellCard.noBrand.choose')}</ButtonLink>}
    >
      {t('sellCard.noBrand.text')}
    </EmptyState>
  )
}

/** Holds what the seller enters, so that going back to the quote loses nothing. */
function Sale({ brand, userId, resubmissionOf, start }: SaleProps) {
  const t = useWords()
  const [address, setAddress] = useSearchParams()
  const { isFetched } = useBrands()
  const rate = useRateChange(brand, isFetched)
  const [value, setValue] = useState(address.get('value') ?? '')
  const kept = useDraft(userId, resubmissionOf ?? brand.value, start)
  const submission = useSubmission(kept)
  const photos = usePhotos({ max: MAX_PHOTOS, maxBytes: MAX_PHOTO_BYTES, accept: PHOTO_ACCEPT })
  const { quote, problem } = quoteFor(brand, value)
  // The step is in the address, so a reload stays on it and the browser's Back returns to the quote.
  const step = address.get('step') === '2' && quote ? 2 : 1
  const container = useStepStart(step)
  useAnnouncement(step === 2 && !submission.newQuote ? rate.change : undefined)

  function goTo(next: 1 | 2) {
    if (next === 2) rate.accept()
    const card = { brand: brand.value, value, quote: toDecimal(quote?.pays ?? 0) }
    const query = resubmissionOf ? { ...card, resubmissionOf } : card
    setAddress(next === 2 ? { ...query, step: '2' } : query, { replace: next === 1 })
  }

  if (submission.acceptedBefore) return <AcceptedBefore kept={kept} />
  return (
    <div ref={container} tabIndex={-1} className="grid grid-cols-1 gap-6 outline-none md:gap-8">
      <Steps current={step} names={[t('sellCard.steps.quote'), t('sellCard.steps.card')]} />
      {step === 2 && quote ? (
        <SubmissionStep
          quote={quote}
          kept={kept}
          submission={submission}
          rate={rate}
          photos={photos}
          resubmissionOf={resubmissionOf}
          onBack={() => goTo(1)}
        />
      ) : submission.sending ? (
        // Reached with the browser's Back during the upload, when nothing can be changed.
        <Panel aria-label={t('sellCard.sending')} className="grid max-w-xl gap-3">
          <p className="font-medium">{t('sellCard.sending.text')}</p>
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

interface SaleProps {
  brand: Brand
  userId: string
  /** The rejected submission of the same card. */
  resubmissionOf?: string
  /** What the form starts with. */
  start?: Draft | undefined
}

/**
 * The draft's key was already used. Either a response was lost and this is the same card, or the tab was duplicated
 * and this is a different one. Only the seller knows.
 */
function AcceptedBefore({ kept: { forget, renewKey } }: { kept: ReturnType<typeof useDraft> }) {
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

/** Toasts a rate change, because the notice in the long form can be scrolled out of view. */
function useAnnouncement(change: RateChange | undefined): void {
  const { from, to } = change ?? {}
  const announce = useEffectEvent(() => {
    if (!change) return
    toast({
      title: rateChangeText(change),
      description: translate()('sellCard.rateChanged'),
      variant: change.to < change.from ? 'destructive' : 'default',
    })
  })
  // Again for another rate, but not for another language.
  useEffect(() => {
    if (from && to) announce()
  }, [from, to])
}

/** Moves scroll position and focus to the top of a new step. */
function useStepStart(step: number) {
  const container = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    container.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [step])
  return container
}

function Steps({ current, names }: { current: number; names: readonly string[] }) {
  const t = useWords()
  return (
    <ol aria-label={t('sellCard.steps')} className="flex flex-wrap gap-x-8 gap-y-2">
      {names.map((name, index) => {
        const step = index + 1
        const done = step < current
        return (
          <li
            key={name}
            aria-current={step === current ? 'step' : undefined}
            className={cx('flex items-center gap-2.5', step === current ? 'font-semibold' : 'text-soft')}
          >
            <span
              className={cx(
                'figures grid size-7 place-items-center rounded-full border font-semibold text-xs',
                step <= current ? 'border-accent bg-accent text-on-accent' : 'border-control',
              )}
            >
              {done ? <Check aria-hidden="true" className="size-4" /> : step}
            </span>
            {name}
            {done && <span className="sr-only">{t('sellCard.steps.done')}</span>}
          </li>
        )
      })}
    </ol>
  )
}
