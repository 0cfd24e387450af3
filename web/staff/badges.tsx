import { Store } from 'lucide-react'
import { staffStatus } from '#domain/submission.ts'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { useWords } from '#web/words/words.ts'
import type { Locale } from '#words/locales.ts'

/** A status in the words of staff. */
export function StaffStatus({ status }: { status: string }) {
  const t = useWords()
  const known = staffStatus(status)
  return <StatusBadge status={known} label={t(`statuses.staff.${known}`)} />
}

/** Marks a brand that is not in the catalog. */
export function UnlistedBadge() {
  return (
    <span
      title="Not in the catalog. Quoted at the terms for unlisted brands"
      className="inline-flex shrink-0 items-center gap-1 self-center whitespace-nowrap rounded-full bg-caution-quiet px-2 py-0.5 font-semibold text-caution text-xs"
    >
      <Store className="size-3.5" />
      Unlisted<span className="sr-only"> brand</span>
    </span>
  )
}

const languages: Readonly<Record<Locale, string>> = { en: 'English', es: 'Spanish' }

/** The language of a seller or visitor. Nothing for English. */
export function LanguageBadge({ locale }: { locale: Locale }) {
  if (locale === 'en') return null
  return (
    <span
      title={`Reads this site in ${languages[locale]}`}
      className="inline-flex shrink-0 items-center self-center whitespace-nowrap rounded-full bg-sunken px-2 py-0.5 font-semibold text-soft text-xs"
    >
      {languages[locale]}
    </span>
  )
}
