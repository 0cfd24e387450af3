import { Suspense } from 'react'
import { photosRequired } from '#domain/card.ts'
import type { SubmissionField } from '#domain/submission-form.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { PhotoPicker } from '#web/kit/photos/PhotoPicker.tsx'
import { sharesOfPhotos } from '#web/kit/photos/use-photos.ts'
import { useWords, withWords } from '#web/words/words.ts'
import { CardDetails } from './CardDetails.tsx'
import { type Draft, fieldLabels } from './draft.ts'
import { FormSection } from './FormSection.tsx'
import { balanceOf, losesPin, type QuotedEntry } from './sale-entry.ts'

const ExamplePhotos = lazyComponent(
  () => withWords('resubmission', import('./ExamplePhoto.tsx')).then((module) => module.ExamplePhotos),
  { silent: true },
)

/** What identifies a card: its numbers and photos. */
export function CardFields({ entry, isRepeated, errorAt }: CardFieldsProps) {
  const t = useWords()
  const { quote, kept, photos, attempt } = entry
  const bothSides = photosRequired(quote.brand.value, kept.draft.cardFormat) === 2
  const slots = bothSides
    ? [t('sellCard.images.front'), t('sellCard.images.back')]
    : [t('sellCard.images.card')]
  const files = photos.photos.map(({ file }) => file)
  const sizes = files.map(({ size }) => size)
  const share = attempt?.state === 'sending' ? attempt.share : attempt?.state === 'accepted' ? 1 : undefined
  return (
    <>
      <CardDetails
        quote={quote}
        balance={balanceOf(entry)}
        keptNumber={entry.keptNumber}
        isRepeated={isRepeated}
        losesPin={losesPin(entry)}
        photos={files}
        preparing={photos.preparing}
        draft={kept.draft}
        onChange={kept.change}
        errorAt={errorAt}
      />
      <FormSection title={t('sellCard.photos')} intro={t('sellCard.photos.text')}>
        {files.length === 0 && (
          <Suspense fallback={<div className="aspect-9/2 max-w-md" />}>
            <ExamplePhotos />
          </Suspense>
        )}
        <PhotoPicker
          label={t(fieldLabels.images)}
          slots={slots}
          picked={photos}
          error={errorAt('images')}
          disabled={share !== undefined}
          shares={share === undefined ? undefined : sharesOfPhotos(sizes, share)}
        />
      </FormSection>
    </>
  )
}

interface CardFieldsProps {
  entry: QuotedEntry
  /** Another card of the sale has the same number. */
  isRepeated: boolean
  errorAt: (field: SubmissionField | keyof Draft) => string | undefined
}
