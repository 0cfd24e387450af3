import { toDecimal, toDollars } from '#domain/money.ts'
import { brandToSell, type Quote, quote } from '#domain/quote.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { HeldUntil } from '#web/cards/HeldUntil.tsx'
import { quoteOf, useSaleList } from '#web/cards/sale-list.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { Money } from '#web/kit/Money.tsx'
import { useWords } from '#web/words/words.ts'

/**
 * Tells a visitor who has to sign in before selling that their quotes are kept.
 * @param query of the address to return to
 */
export function KeptQuote({ query }: { query: URLSearchParams }) {
  const { brands, isFetched } = useBrands()
  const list = useSaleList()
  if (query.has('sale')) {
    if (query.get('sale') !== list?.id) return null
    return <Kept quotes={list.cards.flatMap((card) => quoteOf(card, brands, isFetched).quote ?? [])} isSale />
  }
  const kept = quote(brandToSell(query.get('brand') ?? '', brands), query.get('value') ?? '').quote
  return kept && <Kept quotes={[kept]} />
}

function Kept({ quotes, isSale = false }: { quotes: readonly Quote[]; isSale?: boolean }) {
  const t = useWords()
  const [first] = quotes
  if (!first) return null
  const total = quotes.reduce((sum, { pays }) => sum + pays, 0)
  return (
    <div className="flex flex-wrap items-center gap-x-3 rounded-md bg-accent-quiet p-4">
      {!isSale && <BrandTile name={first.brand.name} />}
      <div className="min-w-0 flex-1">
        <p className="font-medium max-sm:text-sm">{t(isSale ? 'cards.quotesKept' : 'cards.quoteKept')}</p>
        <p className="figures text-soft text-sm">
          {isSale
            ? t('cards.sale.total', { count: quotes.length })
            : `${first.brand.name}, ${toDollars(first.faceValue)}`}
        </p>
      </div>
      <Money amount={toDecimal(total)} size="xl" gold />
      <div className="w-full pt-2">
        <HeldUntil count={quotes.length} />
      </div>
    </div>
  )
}
