import { useEffect, useState } from 'react'
import { type OpeningHours, openingAt } from '#domain/opening-hours.ts'
import { useWords } from '#web/words/words.ts'
import { openingText } from './opening-text.ts'

export function LiveOpening({ hours }: { hours: OpeningHours }) {
  const t = useWords()
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const opening = openingAt(hours, now)
  const text = openingText(t, opening, now, { shop: hours.zone })
  if (!opening.isOpen) return <span className="text-soft">{text}</span>
  return (
    <span className="inline-flex items-baseline gap-1.5 text-positive">
      <span aria-hidden="true" className="size-2 rounded-full border-2 border-current bg-current" />
      {text}
    </span>
  )
}
