import { ChevronDown, CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { hasExpired } from '#domain/card.ts'
import { toDecimal } from '#domain/money.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { cx } from '#web/kit/cx.ts'
import { Money } from '#web/kit/Money.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { Progress } from '#web/kit/Progress.tsx'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { intlLocales } from '#words/locales.ts'
import { isAccepted, OPEN_CARD, priceOf, type QuotedEntry } from './sale-entry.ts'

/** One of several cards. Folds to a line that says whether it is ready. */
export function CardPanel({
  entry,
  missing,
  isTouched,
  photoProblem,
  isOpen,
  isLocked,
  onToggle,
  children,
}: CardPanelProps) {
  const t = useWords()
  const id = useId()
  const { quote, attempt } = entry
  const price = priceOf(entry)
  const canOpen = !isAccepted(entry)
  return (
    <Panel aria-labelledby={`${id}-name`} className="divide-y divide-line py-0 md:py-0">
      <h2>
        <button
          type="button"
          name={isOpen ? OPEN_CARD : undefined}
          aria-expanded={canOpen ? isOpen : undefined}
          aria-controls={isOpen ? `${id}-form` : undefined}
          disabled={isLocked || !canOpen}
          onClick={onToggle}
          className="grid w-full scroll-mt-4 grid-cols-[auto_1fr_auto] items-center gap-x-3 py-4 text-left font-normal tracking-normal"
        >
          <BrandTile name={quote.brand.name} size="sm" />
          <span className="grid min-w-0">
            <span id={`${id}-name`} className="wrap-anywhere font-semibold">
              {quote.brand.name}
            </span>
            <span className="text-soft text-xs">
              <span className="max-sm:sr-only">{t('cards.value')} </span>
              <Money amount={toDecimal((price ?? quote).faceValue)} />
            </span>
          </span>
          <span className="flex items-center gap-2">
            <span className={cx('font-semibold text-lg', !price && 'text-soft')}>
              {price ? <Money amount={toDecimal(price.pays)} /> : '–'}
            </span>
            {canOpen && !isLocked && (
              <ChevronDown
                aria-hidden="true"
                className={cx('size-5 text-soft transition-transform', isOpen && 'rotate-180')}
              />
            )}
          </span>
          <span className="col-span-3 pt-2">
            <Status entry={entry} missing={missing} isTouched={isTouched} />
            {/* The open form shows it beside the photos. */}
            {photoProblem && canOpen && !isOpen && !isLocked && <Problem>{photoProblem}</Problem>}
          </span>
        </button>
        {attempt?.state === 'sending' && (
          <div className="pb-4">
            <Progress share={attempt.share} label={t('sellCard.upload.of', { brand: quote.brand.name })} />
          </div>
        )}
      </h2>
      {isOpen && (
        <div id={`${id}-form`} className="divide-y divide-line">
          {children}
        </div>
      )}
    </Panel>
  )
}

interface CardPanelProps {
  entry: QuotedEntry
  /** Labels of the fields that are still missing. */
  missing: readonly Key[]
  /** Until then, the panel lists nothing as missing. */
  isTouched: boolean
  /** Why photos were not added or not accepted. */
  photoProblem: string | undefined
  isOpen: boolean
  /** Cannot be opened while cards are sent. */
  isLocked: boolean
  onToggle: () => void
  /** The form. */
  children: ReactNode
}

function Status({ entry, missing, isTouched }: Pick<CardPanelProps, 'entry' | 'missing' | 'isTouched'>) {
  const t = useWords()
  const list = new Intl.ListFormat(intlLocales[t.locale], { type: 'unit', style: 'short' })
  const { attempt, rateChange, kept } = entry
  const good = (text: string) => (
    <StatusLine icon={<CircleCheck aria-hidden="true" className="size-4" />} className="text-positive">
      {text}
    </StatusLine>
  )
  if (isAccepted(entry)) return good(t('cards.sale.sent'))
  if (attempt?.state === 'waiting') return <StatusLine>{t('sellCard.sale.waiting')}</StatusLine>
  if (attempt?.state === 'sending') return <StatusLine>{t('sellCard.sale.sending')}</StatusLine>
  if (attempt?.state === 'failed') return <Problem>{t('sellCard.sale.notSent')}</Problem>
  if (rateChange) return <Problem>{t('sellCard.quoteChanged')}</Problem>
  if (missing.length === 0 && hasExpired(kept.draft.expirationDate))
    return <Problem>{t('sellCard.sale.checkDate')}</Problem>
  if (missing.length === 0) return good(t('sellCard.sale.ready'))
  if (!isTouched) return <StatusLine>{t('sellCard.sale.untouched')}</StatusLine>
  return (
    <StatusLine>
      {t('sellCard.missing', { fields: list.format(missing.map((label) => t(label))) })}
    </StatusLine>
  )
}

function Problem({ children }: { children: string }) {
  return (
    <StatusLine
      icon={<CircleAlert aria-hidden="true" className="size-4 shrink-0" />}
      className="text-caution"
    >
      {children}
    </StatusLine>
  )
}

function StatusLine({ icon, className = 'text-soft', children }: StatusLineProps) {
  return (
    <span className={cx('flex items-center gap-1.5 text-sm', className)}>
      {icon}
      {children}
    </span>
  )
}

interface StatusLineProps {
  icon?: ReactNode
  className?: string
  children: ReactNode
}
