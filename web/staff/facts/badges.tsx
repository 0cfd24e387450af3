import { BadgeCheck, Store, TriangleAlert, Undo2 } from 'lucide-react'
import type { SellerState } from '#domain/seller-state.ts'
import { staffStatus } from '#domain/submission.ts'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { Badge, type BadgeLook } from '#web/kit/Badge.tsx'
import { cx } from '#web/kit/cx.ts'
import { type Tone, toneClass } from '#web/kit/tone.ts'
import { useWords } from '#web/words/words.ts'
import type { Locale } from '#words/locales.ts'

/** A status in the words of staff, or that the seller is asked for another account. */
export function StaffStatus({ status, needsAccount }: StaffStatusProps) {
  const t = useWords()
  if (needsAccount) return <Badge {...accountLook}>{t('payoutStatus.badge.account')}</Badge>
  const known = staffStatus(status)
  return <StatusBadge status={known} label={t(`staffStatuses.${known}`)} />
}

export const accountLook: BadgeLook = { tone: 'caution', icon: Undo2 }

interface StaffStatusProps {
  status: string
  needsAccount?: boolean | undefined
}

/** Marks a brand that is not in the catalog. */
export function UnlistedBadge() {
  return (
    <span
      title="Not in the catalog. Quoted at the terms for unlisted brands"
      className="inline-flex shrink-0 items-center gap-1 self-center whitespace-nowrap rounded-chip bg-caution-quiet px-2 py-0.5 font-semibold text-caution text-xs"
    >
      <Store className="size-3.5" />
      Unlisted<span className="sr-only"> brand</span>
    </span>
  )
}

/** What staff call each language. */
export const languages: Readonly<Record<Locale, string>> = { en: 'English', es: 'Spanish' }

/** The language of a seller or visitor. Nothing for English. */
export function LanguageBadge({ locale }: { locale: Locale }) {
  if (locale === 'en') return null
  return (
    <span
      title={`Reads this site in ${languages[locale]}`}
      className="inline-flex shrink-0 items-center self-center whitespace-nowrap rounded-chip bg-sunken px-2 py-0.5 font-semibold text-soft text-xs"
    >
      {languages[locale]}
    </span>
  )
}

interface StateWords {
  readonly name: string
  readonly meaning: string
  readonly tone: Tone
}

export const stateWords: Readonly<Record<SellerState, StateWords>> = {
  active: { name: 'Active', meaning: 'Submits cards and is paid.', tone: 'positive' },
  held: {
    name: 'Held',
    meaning: 'Submits cards, but is not paid. Sellers do not see that they are held.',
    tone: 'caution',
  },
  blocked: {
    name: 'Blocked',
    meaning: 'Cannot submit cards. Cards approved before are still paid.',
    tone: 'negative',
  },
}

/** What managers allow a seller. Nothing for active sellers, unless it is shown always. */
export function SellerStateBadge({ state, always = false }: { state: SellerState; always?: boolean }) {
  if (state === 'active' && !always) return null
  const { name, meaning, tone } = stateWords[state]
  return (
    <span
      title={meaning}
      className={cx(
        'inline-flex shrink-0 items-center self-center whitespace-nowrap rounded-chip px-2 py-0.5 font-semibold text-xs',
        toneClass[tone],
      )}
    >
      {name}
    </span>
  )
}

/** Whether the owner of an email address has confirmed it. */
export function EmailMark({ confirmed }: { confirmed: boolean }) {
  return (
    <span className={cx('flex items-center gap-1 text-sm', confirmed ? 'text-positive' : 'text-caution')}>
      {confirmed ? <BadgeCheck /> : <TriangleAlert />}
      {confirmed ? 'Email confirmed' : 'Email not confirmed'}
    </span>
  )
}
