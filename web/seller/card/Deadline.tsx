import { Clock } from 'lucide-react'
import { Time } from '#web/kit/Time.tsx'
import { useNow } from '#web/wire/use-now.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { until } from '#words/ago.ts'

/** Until when the seller can answer an offer. */
export function Deadline({ at }: { at: string }) {
  const t = useWords()
  const left = Date.parse(at) - useNow(30_000)
  return (
    <p className="flex items-center gap-2 font-medium text-sm">
      <Clock aria-hidden="true" className="size-4 shrink-0" />
      <span>
        {left > 0 ? (
          <Rich
            id="processing.offer.ends"
            values={{ when: until(t, left) }}
            tags={{ date: () => <Time at={at} as="moment" /> }}
          />
        ) : (
          t('processing.offer.ended')
        )}
      </span>
    </p>
  )
}
