import { clockIn } from '#web/kit/Time.tsx'
import { useWords } from '#web/words/words.ts'
import { useBrands } from './use-brands.ts'

/** Until when a quote is honored. Takes a line before the time is known, so that nothing below moves away from a finger. */
export function HeldUntil({ count = 1 }: { count?: number }) {
  const t = useWords()
  const { honoredUntil } = useBrands()
  return (
    <p className="min-h-5 text-soft text-sm">
      {honoredUntil && t('cards.heldUntil', { count, clock: clockIn(t, honoredUntil) })}
    </p>
  )
}
