import { X } from 'lucide-react'
import { flushSync } from 'react-dom'
import type { Brand } from '#domain/brands.ts'
import { toDecimal } from '#domain/money.ts'
import type { QuoteResult } from '#domain/quote.ts'
import { IconButton } from '#web/kit/Button.tsx'
import { FieldError } from '#web/kit/Field.tsx'
import { Money } from '#web/kit/Money.tsx'
import { useWords } from '#web/words/words.ts'
import { BrandTile } from './BrandTile.tsx'
import { RateChanged } from './RateChanged.tsx'
import type { RateChange } from './rate-change.ts'
import { type ListedCard, removeFromSale, updateListedCard } from './sale-list.ts'
import { cardName } from './text.ts'

/** A card of the list with its quote. It can be removed until it is sent, and a changed quote can be accepted. */
export function ListedCardRow({ card, brand, quote, problem, change }: ListedRow) {
  const t = useWords()
  const name = brand?.name ?? card.brand
  return (
    <li className="grid gap-3 py-3">
      <div className="flex items-center gap-3">
        <BrandTile name={name} size="sm" />
        <div className="grid min-w-0 flex-1">
          <span className="wrap-anywhere font-medium">{name}</span>
          <span className="text-soft text-xs">
            {card.submissionId ? t('cards.sale.sent') : <Money amount={card.value} />}
          </span>
        </div>
        {quote && <Money amount={toDecimal(quote.pays)} className="font-semibold" />}
        {!card.submissionId && (
          <IconButton
            label={t('cards.sale.remove', { card: cardName(name) })}
            name="removeCard"
            onClick={({ currentTarget }) => {
              const next = neighborOf(currentTarget)
              flushSync(() => removeFromSale(card.key))
              next?.focus()
            }}
          >
            <X aria-hidden="true" className="size-5" />
          </IconButton>
        )}
      </div>
      {problem && (
        <FieldError>
          {t(`fields.${problem.code}`, problem.params)} {t('cards.sale.tooMuch')}
        </FieldError>
      )}
      {change && (
        <RateChanged
          change={change}
          quote={quote}
          onAccept={() => updateListedCard(card.key, { rate: change.to })}
        />
      )}
    </li>
  )
}

/** Receives focus when this button disappears: the button of the next card or the one before, or else the page. */
function neighborOf(button: HTMLElement): HTMLElement | null {
  const row = button.closest('li')
  const neighbors = [row?.nextElementSibling, row?.previousElementSibling]
  const [next] = neighbors.flatMap((one) => one?.querySelector<HTMLElement>('[name=removeCard]') ?? [])
  return next ?? button.closest('main')
}

/** A card with what `quoteOf` says about it. */
export type ListedRow = QuoteResult & {
  card: ListedCard
  brand: Brand | null | undefined
  change?: RateChange | undefined
}
