import { Clock } from 'lucide-react'
import { inDollars } from '#domain/money.ts'
import { Time } from '#web/kit/Time.tsx'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { useDueDay, type WithPayout } from './expected-day.ts'

/** Says in a list by when the money for an approved card should arrive, or that it takes longer. Its page says how to ask. */
export function Arrival({ card }: { card: WithPayout }) {
  const t = useWords()
  const day = useDueDay(card)
  if (!day) return null
  if (!day.isOver) {
    return (
      <p className="text-soft text-sm">
        <Rich id="payoutStatus.expectedBy" tags={{ date: () => <Time at={day.expectedOn} as="weekday" /> }} />
      </p>
    )
  }
  return (
    <p className="flex items-start gap-2 text-pretty font-medium text-caution text-sm">
      <Clock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {t('payoutStatus.late', { amount: inDollars(card.payout?.amount ?? '0') })}
    </p>
  )
}
