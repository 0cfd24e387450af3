import { type Opening, type OpeningHours, openingAt } from '#domain/opening-hours.ts'
import { clockIn } from '#web/kit/Time.tsx'
import { useNow } from '#web/wire/use-now.ts'
import { useWords } from '#web/words/words.ts'
import { intlLocales } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'

interface LiveOpeningProps {
  hours: OpeningHours
  /** Says when a person answers instead of whether it is open. */
  forReply: boolean
}

export function LiveOpening({ hours, forReply }: LiveOpeningProps) {
  const t = useWords()
  const now = new Date(useNow(30_000))
  const opening = openingAt(hours, now)
  if (forReply && opening.isOpen) return t('support.waiting.open', { time: t('support.time.chat') })
  const text = openingText(t, opening, now, { shop: hours.zone }, forReply ? answers : opens)
  if (forReply) return text
  if (!opening.isOpen) return <span className="text-soft">{text}</span>
  return (
    <span className="inline-flex items-baseline gap-1.5 text-positive">
      <span aria-hidden="true" className="size-2 rounded-full border-2 border-current bg-current" />
      {text}
    </span>
  )
}

/** When closed, what is said about a time today, tomorrow or on a later day. */
const opens = ['hours.today', 'hours.tomorrow', 'hours.weekday'] as const
export const answers = [
  'support.waiting.today',
  'support.waiting.tomorrow',
  'support.waiting.weekday',
] as const

interface Zones {
  readonly shop: string
  /** The browser's time zone by default. */
  readonly reader?: string
}

/**
 * "Open now, until 8 PM", "Opens Monday at 9 AM" or "A person answers on Monday from 9 AM", by the reader's clock. Says so if
 * the shop's clock shows another time.
 */
export function openingText(
  t: Translate,
  { isOpen, changesAt }: Opening,
  now: Date,
  zones: Zones,
  closed: typeof opens | typeof answers = opens,
): string {
  if (!changesAt) return t('hours.always')
  const timeZone = zones.reader
  const readersClock = clockIn(t, changesAt, timeZone)
  const isSame = readersClock === clockIn(t, changesAt, zones.shop)
  const clock = isSame ? readersClock : t('hours.readersClock', { clock: readersClock })
  const days = (dayIn(changesAt, timeZone) - dayIn(now, timeZone)) / 86_400_000
  const weekday = changesAt.toLocaleDateString(intlLocales[t.locale], { weekday: 'long', timeZone })
  return t(isOpen ? 'hours.open' : (closed[days] ?? closed[2]), { clock, weekday })
}

/** The midnight in UTC of the day in a zone. Swedish writes dates like ISO 8601. */
function dayIn(time: Date, timeZone: string | undefined): number {
  return Date.parse(time.toLocaleDateString('sv-SE', { timeZone }))
}
