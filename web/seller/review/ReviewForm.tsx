import { useQueryClient } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import type { FormEvent } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { MAX_RATING, MAX_REVIEW_LENGTH } from '#domain/review.ts'
import { cardName } from '#web/cards/text.ts'
import { toastUnlessAtField, useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Form } from '#web/kit/Form.tsx'
import { TextArea } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { useWords } from '#web/words/words.ts'
import { refreshCards } from '../refresh-cards.ts'

/** Stars. The rest of the form follows when one is chosen. */
export function ReviewForm({ card: { brandName, toReview } }: ReviewFormProps) {
  const t = useWords()
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: () => import('#contract/reviews.ts').then((contract) => contract.newReview),
    start: { transactionId: toReview ?? '', rating: 0, comment: '' },
    send: (body) => call(routes.addReview, { body }),
    onDone: () => {
      toast({ title: t('review.sent') })
      void refreshCards(client)
    },
    failed: toastUnlessAtField(t('review.failed'), t('review.failedText')),
  })
  const { rating } = form.values
  function submitOnce(event: FormEvent) {
    event.preventDefault()
    if (!sending.isPending && !sending.isSuccess) void submit()
  }
  return (
    <section aria-labelledby="review" className="rounded-lg border border-line bg-surface p-4 md:p-5">
      <Form onSubmit={submitOnce}>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="grid min-w-[min(13rem,100%)] flex-1 gap-1">
            <h2 id="review" className="text-lg">
              {t('review.title')}
            </h2>
            <p className="text-pretty text-soft text-sm">{t('review.text', { card: cardName(brandName) })}</p>
          </div>
          <Rating selected={rating} onSelect={(stars) => form.setValue('rating', stars)} />
        </div>
        {rating > 0 && (
          <>
            <TextArea
              label={t('review.comment')}
              hint={t('review.hint')}
              optional
              {...field('comment')}
              maxLength={MAX_REVIEW_LENGTH}
            />
            <Button type="submit" loading={sending.isPending} className="sm:justify-self-end">
              {t(sending.isPending ? 'review.sending' : 'review.send')}
            </Button>
          </>
        )}
      </Form>
    </section>
  )
}

function Rating({ selected, onSelect }: { selected: number; onSelect: (stars: number) => void }) {
  const t = useWords()
  return (
    <fieldset className="-mx-2 flex flex-wrap">
      <legend className="sr-only">{t('review.stars')}</legend>
      {Array.from({ length: MAX_RATING }, (_, index) => index + 1).map((stars) => (
        <label
          key={stars}
          className="grid size-11 cursor-pointer place-items-center rounded-md text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="rating"
            value={stars}
            checked={stars === selected}
            onChange={() => onSelect(stars)}
            className="sr-only"
          />
          <span className="sr-only">{t('review.star', { count: stars })}</span>
          <Star aria-hidden="true" className={cx('size-7', stars <= selected && 'fill-current')} />
        </label>
      ))}
    </fieldset>
  )
}

interface ReviewFormProps {
  card: Pick<SellerSubmission, 'brandName' | 'toReview'>
}
