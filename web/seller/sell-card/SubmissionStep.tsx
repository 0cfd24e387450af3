import { ArrowLeft } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { photosRequired } from '#domain/card.ts'
import { MAX_PHOTOS, PHOTO_ACCEPT } from '#domain/photo-files.ts'
import type { Quote } from '#domain/quote.ts'
import { type SubmissionField, submissionProblems, submitLabel } from '#domain/submission-form.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PhotoPicker } from '../../ui/photos/PhotoPicker.tsx'
import type { usePhotos } from '../../ui/photos/use-photos.ts'
import { toast } from '../../ui/toast.ts'
import { CardDetails } from './CardDetails.tsx'
import { type Draft, fieldLabels } from './draft.ts'
import { FormSection } from './FormSection.tsx'
import { Payout } from './Payout.tsx'
import { QuoteSummary } from './QuoteSummary.tsx'
import { SubmitBar } from './SubmitBar.tsx'
import { useSubmission } from './use-submission.ts'

interface SubmissionStepProps {
  quote: Quote
  draft: Draft
  onDraft: (change: (before: Draft) => Draft) => void
  photos: ReturnType<typeof usePhotos>
  onBack: () => void
}

export function SubmissionStep({ quote, draft, onDraft, photos: picked, onBack }: SubmissionStepProps) {
  const [pressed, setPressed] = useState(false)
  const submission = useSubmission()
  const form = useRef<HTMLFormElement>(null)

  const filledIn = {
    ...draft,
    brand: quote.brand.value,
    photos: picked.photos.length,
    paymentType: draft.paymentType || undefined,
  }
  const problems = submissionProblems(filledIn)
  const change = (part: Partial<Draft>) => onDraft((before) => ({ ...before, ...part }))

  /** What is wrong stands at the fields once somebody has tried to submit, and what the server said. */
  function errorAt(field: SubmissionField | keyof Draft): string | undefined {
    const problem = problems.find((candidate) => candidate.field === field)
    return (pressed ? problem?.description : undefined) ?? submission.refusedAt(field)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (submission.sending || picked.preparing) return
    setPressed(true)
    const [first] = problems
    if (first) {
      toast({ title: first.title, description: first.description, variant: 'destructive' })
      form.current?.querySelector<HTMLElement>(`[name="${first.field}"]`)?.focus()
      return
    }
    submission.send({ draft, quote, photos: picked.photos.map(({ file }) => file) })
  }

  const places =
    photosRequired(quote.brand.value, draft.cardFormat) === 2 ? ['Front', 'Back'] : ['Card photo']
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <form ref={form} noValidate onSubmit={submit} className="grid gap-6">
        <Button
          variant="quiet"
          onClick={onBack}
          icon={<ArrowLeft aria-hidden="true" className="size-4" />}
          className="-ml-3 justify-self-start"
        >
          Back to Quote
        </Button>
        <Panel className="divide-y divide-line py-0 md:py-0">
          <CardDetails brand={quote.brand} draft={draft} onChange={change} errorAt={errorAt} />
          <FormSection
            title="Photos"
            intro="We compare them with what you typed. They are encrypted, and only our review team sees them."
          >
            <PhotoPicker
              name="images"
              label={fieldLabels.images}
              hint="PNG, JPG up to 10MB each"
              accept={PHOTO_ACCEPT}
              max={MAX_PHOTOS}
              places={places}
              picked={picked}
              error={errorAt('images')}
              disabled={submission.sending}
            />
          </FormSection>
          <Payout draft={draft} onChange={change} errorAt={errorAt} />
        </Panel>
        {submission.newQuote && (
          <Notice tone="caution" title="Your quote has changed" urgent>
            {submission.newQuote} Nothing has been sent and everything you filled in is still here. Submit
            again to accept the new amount.
          </Notice>
        )}
        <SubmitBar
          label={submitLabel(filledIn, submission.sending)}
          missing={[...new Set(problems.map(({ field }) => fieldLabels[field]))]}
          sending={submission.sending}
          share={submission.share}
        />
      </form>
      <QuoteSummary quote={quote} />
    </div>
  )
}
