import { Star } from 'lucide-react'
import { MAX_RATING } from '#domain/review.ts'
import { cx } from './cx.ts'

/** A rating. Not in gold, which is for money. */
export function Stars({ rating, label }: { rating: number; label: string }) {
  return (
    <span role="img" aria-label={label} className="inline-flex gap-0.5">
      {Array.from({ length: MAX_RATING }, (_, index) => (
        <Star key={index} className={cx('size-4', index < rating ? 'fill-current' : 'text-soft')} />
      ))}
    </span>
  )
}
