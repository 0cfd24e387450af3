import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { fieldText } from '#contract/field-errors.ts'
import { photosRequired } from '#domain/card.ts'
import { toDecimal } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { type SubmissionField, submissionProblems } from '#domain/submission-form.ts'
import { BrandName } from '#web/cards/BrandName.tsx'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { QuoteFigure } from '#web/cards/QuoteFigure.tsx'
import { RateChanged, type useRateChange } from '#web/cards/RateChange.tsx'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { PhotoPicker } from '#web/kit/photos/PhotoPicker.tsx'
import type { usePhotos } from '#web/kit/photos/use-photos.ts'
import { sharesOfPhotos } from '#web/kit/photos/use-photos.ts'
import { useSearchParams } from '#web/kit/router/index.ts'
import { toast } from '#web/kit/toast.ts'
import { ApiError } from '#web/wire/errors.ts'
import { paths } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { CardDetails } from './CardDetails.tsx'
import { type Draft, fieldLabels, labelsOf, payoutFieldNames } from './draft.ts'
import { FormSection } from './FormSection.tsx'
import { Payout, useSavedMethods } from './Payout.tsx'
import { SubmitBar } from './SubmitBar.tsx'
import { problemToast, submitLabel } from './submission-words.ts'
import type { useDraft } from './use-draft.ts'
import type { useSubmission } from './use-submission.ts'

export function SubmissionStep({
  quote,
  kept,
  submission,
  rate,
  photos: picked,
  resubmissionOf,
  onBack,
}: SubmissionStepProps) {
  const t = useWords()
  const { draft, change } = kept
  const [pressed, setPressed] = useState(false)
  const { methods, chosen } = useSavedMethods(draft)
  const form = useRef<HTMLFormElement>(null)
  const files = picked.photos.map(({ file }) => file)

  const filledIn = {
    ...draft,
    brand: quote.brand.value,
    photos: files.length,
    paymentType: draft.paymentType || undefined,
  }
  const problems = submissionProblems(filledIn).filter(
    // A saved method replaces the payout fields.
    ({ field }) => !(chosen && payoutFieldNames.has(field)),
  )

  /** The form's own problems appear after the first attempt to submit, the server's always. */
  function errorAt(field: SubmissionField | keyof Draft): string | undefined {
    const problem = problems.find((candidate) => candidate.field === field)
    if (pressed && problem) return t(`fields.${problem.code}`)
    const refused = submission.refusedAt(field)
    return refused && (fieldText(t, refused) ?? refused.message)
  }

  function focusField(name: string) {
    form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
  }
  function focusRefused(error: Error) {
    const [first] = error instanceof ApiError ? error.errors : []
    if (first) focusField(first.path)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (submission.sending || picked.preparing) return
    setPressed(true)
    const [first] = problems
    if (first) {
      toast({ ...problemToast(t, first), variant: 'destructive' })
      focusField(first.field)
      return
    }
    if (rate.change) {
      toast({
        title: t('sellCard.acceptFirst'),
        description: t('sellCard.acceptFirst.text'),
        variant: 'destructive',
      })
      focusField('acceptRate')
      return
    }
    const sent = { draft, quote, photos: files, savedMethod: chosen?.id, resubmissionOf }
    submission.send(sent, { onError: focusRefused })
  }

  const bothSides = photosRequired(quote.brand.value, draft.cardFormat) === 2
  const slots = bothSides
    ? [t('sellCard.images.front'), t('sellCard.images.back')]
    : [t('sellCard.images.card')]
  const sizes = files.map(({ size }) => size)
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-8">
      <form ref={form} noValidate onSubmit={submit} className="grid grid-cols-1 gap-6">
        <Button
          variant="quiet"
          onClick={onBack}
          disabled={submission.sending}
          icon={<ArrowLeft aria-hidden="true" className="size-4" />}
          className="-my-2 -ml-4 justify-self-start"
        >
          {t('sellCard.backToQuote')}
        </Button>
        {kept.isRestored && <Restored />}
        <Panel className="divide-y divide-line py-0 md:py-0">
          <CardDetails brand={quote.brand} draft={draft} onChange={change} errorAt={errorAt} />
          <FormSection title={t('sellCard.photos')} intro={t('sellCard.photos.text')}>
            <PhotoPicker
              name="images"
              label={t(fieldLabels.images)}
              slots={slots}
              picked={picked}
              error={errorAt('images')}
              disabled={submission.sending}
              shares={submission.sending ? sharesOfPhotos(sizes, submission.share) : undefined}
            />
          </FormSection>
          <Payout draft={draft} onChange={change} errorAt={errorAt} saved={methods} chosen={chosen} />
        </Panel>
        {rate.change ? (
          <RateChanged change={rate.change} quote={quote} onAccept={rate.accept} />
        ) : submission.newQuote ? (
          <Notice tone="caution" title={t('sellCard.quoteChanged')} urgent>
            {t('sellCard.quoteChanged.text', { message: submission.newQuote })}
          </Notice>
        ) : (
          submission.failure && <Failed reason={submission.failure} blocked={submission.blocked} />
        )}
        <SubmitBar
          label={submitLabel(t, filledIn, submission.sending)}
          missing={labelsOf(problems).map((label) => t(label))}
          sending={submission.sending}
          share={submission.share}
          onStop={submission.stop}
        />
      </form>
      <QuoteSummary quote={quote} />
    </div>
  )
}

interface SubmissionStepProps {
  quote: Quote
  kept: ReturnType<typeof useDraft>
  submission: ReturnType<typeof useSubmission>
  rate: ReturnType<typeof useRateChange>
  photos: ReturnType<typeof usePhotos>
  resubmissionOf: string | undefined
  onBack: () => void
}

/** Stays after the toast is gone, and says that trying again is safe. */
function Failed({ reason, blocked }: { reason: string; blocked: boolean }) {
  const t = useWords()
  const [address] = useSearchParams()
  if (!blocked) {
    return (
      <Notice tone="negative" title={reason}>
        {t('sellCard.failed.safe')}
      </Notice>
    )
  }
  const chat = `${paths.sellCard}?${new URLSearchParams({ ...Object.fromEntries(address), chat: 'open' })}`
  return (
    <Notice tone="negative" title={reason} action={<TextLink to={chat}>{t('site.supportChat')}</TextLink>}>
      {t('sellCard.blocked.safe')}
    </Notice>
  )
}

function Restored() {
  const t = useWords()
  return <Notice title={t('sellCard.restored')}>{t('sellCard.restored.text')}</Notice>
}

/** Keeps the amount visible during the form: beside it on wide screens, in one line above it on phones. */
function QuoteSummary({ quote }: { quote: Quote }) {
  const t = useWords()
  return (
    <>
      <Panel aria-label={t('sellCard.yourQuote')} className="grid gap-5 max-lg:hidden lg:sticky lg:top-22">
        <BrandName brand={quote.brand} />
        <QuoteFigure quote={quote} />
        <p className="text-soft text-sm">{t('sellCard.review')}</p>
      </Panel>
      <QuoteLine quote={quote} />
    </>
  )
}

// Sticks below the top bar at full width, so that the form does not show beside it.
const quoteLineClass =
  'sticky top-16 z-20 -mx-4 flex items-center gap-3 border-line border-y bg-surface px-4 py-2 max-lg:order-first md:-mx-8 md:px-8 lg:hidden'

function QuoteLine({ quote }: { quote: Quote }) {
  const t = useWords()
  return (
    <section aria-label={t('sellCard.yourQuote')} className={quoteLineClass}>
      <BrandTile name={quote.brand.name} size="sm" />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere line-clamp-2 font-medium text-sm">{quote.brand.name}</p>
        <p className="text-soft text-xs">
          <Rich
            id="sellCard.cardValue"
            values={{ amount: toDecimal(quote.faceValue) }}
            tags={{ amount: (text) => <Money amount={text} /> }}
          />
        </p>
      </div>
      <p className="grid justify-items-end">
        <span className="text-soft text-xs">{t('sellCard.youReceive')}</span>
        <Money
          amount={toDecimal(quote.pays)}
          className="font-semibold text-[2rem] text-accent leading-none tracking-tight"
        />
      </p>
    </section>
  )
}
