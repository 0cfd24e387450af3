import { toDecimal } from '#domain/money.ts'
import type { Quote } from '#domain/quote.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { ListedCardRow } from '#web/cards/ListedCardRow.tsx'
import { quoteOf, type SaleList } from '#web/cards/sale-list.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dotted } from '#web/kit/Dotted.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { useWords } from '#web/words/words.ts'

/** The cards that will be sold with the one in the calculator. The newest comes first, so that an added one is in view. */
export function ListedCards({ list, current }: Pick<SaleBarProps, 'list' | 'current'>) {
  const t = useWords()
  return (
    <Panel aria-labelledby="your-cards" className="grid grid-cols-1 gap-2">
      <h2 id="your-cards" className="font-semibold text-lg">
        {t('quote.sale.title')}
      </h2>
      <ul className="divide-y divide-line">
        {current && (
          <li className="flex items-center gap-3 py-3">
            <BrandTile name={current.brand.name} size="sm" />
            <div className="grid min-w-0 flex-1">
              <span className="wrap-anywhere font-medium">{current.brand.name}</span>
              <span className="text-soft text-xs">
                <Dotted>
                  <Money amount={toDecimal(current.faceValue)} />
                  {t('quote.sale.above')}
                </Dotted>
              </span>
            </div>
            {/* As far from the edge as the amounts of the rows with a button. */}
            <Money amount={toDecimal(current.pays)} className="mr-14 font-semibold" />
          </li>
        )}
        {useRows(list)
          .toReversed()
          .map((row) => (
            <ListedCardRow key={row.card.key} {...row} />
          ))}
      </ul>
    </Panel>
  )
}

/** The total, and what can be done next. Stays at the lower edge of the window, because the list can be long. */
export function SaleBar({ list, current, isReady, needsBrand, missing, onAdd, onSell }: SaleBarProps) {
  const t = useWords()
  const unsold = useRows(list).filter(({ card }) => !card.submissionId)
  const total = unsold.reduce((sum, { quote }) => sum + (quote?.pays ?? 0), current?.pays ?? 0)
  const count = unsold.length + (current ? 1 : 0)
  return (
    <div data-bottom-bar className="sticky bottom-0 z-10 border-line border-t bg-surface">
      <div className="measure flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 lg:justify-end lg:gap-x-8">
        <output className={cx('grid', onAdd && 'max-sm:flex max-sm:w-full max-sm:items-center max-sm:gap-3')}>
          <span className="text-soft text-sm">{t('cards.sale.total', { count })}</span>
          <Money amount={toDecimal(total)} size="xl" gold className="justify-self-start" />
        </output>
        <div className={cx('flex gap-2', onAdd && 'max-sm:w-full')}>
          {onAdd && (
            <Button variant="secondary" onClick={onAdd} className={fitting}>
              {t('cards.sale.add')}
            </Button>
          )}
          <Button aria-disabled={!isReady && !needsBrand} onClick={onSell} className={fitting}>
            <span className="grid">
              {t('quote.sale.sell', { count })}
              {!isReady && <span className="font-normal text-sm">{missing}</span>}
            </span>
          </Button>
        </div>
      </div>
    </div>
  )
}

/** Both labels in one line on phones, in Spanish too. */
const fitting = 'max-sm:flex-auto max-sm:px-2.5 max-sm:text-sm'

interface SaleBarProps {
  list: SaleList
  /** The quote in the calculator, if its card is sold too. */
  current: Quote | undefined
  /** Whether the amount in the calculator needs no brand and no correction. A press shows what it needs. */
  isReady: boolean
  needsBrand: boolean
  /** Why the calculator has no quote. */
  missing: string
  /** Adds the card in the calculator to the list. Undefined if it has none, or if the list is full. */
  onAdd: (() => void) | undefined
  onSell: () => void
}

function useRows(list: SaleList) {
  const { brands, isFetched } = useBrands()
  return list.cards.map((card) => ({ card, ...quoteOf(card, brands, isFetched) }))
}
