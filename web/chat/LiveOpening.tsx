import { type Opening, type OpeningHours, openingAt } from '#domain/opening-hours.ts'
import { clockIn } from '#web/kit/Time.tsx'
import { useNow } from '#web/wire/use-now.ts'
import { useWords } from '#web/words/words.ts'
import { intlLocales } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'

export interface OpeningTexts {
  readonly open: string
  readonly closed: string
  /** The time at which it opens is shown elsewhere. */
  readonly isTimeShown?: boolean
}

export function LiveOpening({ hours, texts }: { hours: OpeningHours; texts?: OpeningTexts }) {
  const t = useWords()
  const now = new Date(useNow(30_000))
  const opening = openingAt(hours, now)
  const text = openingText(t, opening, now, { shop: hours.zone })
  if (texts) {
    if (opening.isOpen) return texts.open
    return (
      <>
        {texts.closed} {!texts.isTimeShown && <span className="block">{text}</span>}
      </>
    )
  }
  if (!opening.isOpen) return <span className="text-soft">{text}</span>
  return (
    <span className="inline-flex items-baseline gap-1.5 text-positive">
      <span aria-hidden="true" className="size-2 rounded-full border-2 border-current bg-current" />
      {text}
    </span>
  )
}

interface Zones {
  readonly shop: string
  /** The browser's time zone by default. */
  readonly reader?: string
}

/** "Open now, until 8 PM" or "Opens Monday at 9 AM", by the reader's clock. Says so if the shop's clock shows another time. */
export function openingText(t: Translate, { isOpen, changesAt }: Opening, now: Date, zones: Zones): string {
  if (!changesAt) return t('hours.always')
  const timeZone = zones.reader
  const readersClock = clockIn(t, changesAt, timeZone)
  const isSame = readersClock === clockIn(t, changesAt, zones.shop)
  const clock = isSame ? readersClock : t('hours.readersClock', { clock: readersClock })
  const days = (dayIn(changesAt, timeZone) - dayIn(now, timeZone)) / 86_400_000
  const weekday = changesAt.toLocaleDateString(intlLocales[t.locale], { weekday: 'long', timeZone })
  const opens = ['hours.today', 'hours.tomorrow'] as const
  return t(isOpen ? 'hours.open' : (opens[days] ?? 'hours.weekday'), { clock, weekday })
}

/** The midnight in UTC of the day in a zone. Swedish writes dates like ISO 8601. */
function dayIn(time: Date, timeZone: string | undefined): number {
  return Date.parse(time.toLocaleDateString('sv-SE', { timeZone }))
}
