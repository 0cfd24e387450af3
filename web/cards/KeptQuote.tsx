import { toDecimal, toDollars } from '#domain/money.ts'
import { brandToSell, quote } from '#domain/quote.ts'
import { Money } from '#web/kit/Money.tsx'
import { useStore } from '#web/kit/store.ts'
import { returnAddress } from '#web/wire/return-address.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { BrandTile } from './BrandTile.tsx'
import { useBrands } from './use-brands.ts'

/** Tells a visitor who has to sign in before selling that their quote is kept. */
export function KeptQuote() {
  const t = useWords()
  const { brands } = useBrands()
  const address = useStore(returnAddress)
  if (!address?.startsWith(`${paths.sellCard}?`)) return null
  const query = new URLSearchParams(address.slice(paths.sellCard.length))
  const kept = quote(brandToSell(query.get('brand') ?? '', brands), query.get('value') ?? '').quote
  if (!kept) return null
  return (
    <div className="flex items-center gap-3 rounded-md bg-accent-quiet p-4">
      <BrandTile name={kept.brand.name} />
      <div className="min-w-0 flex-1">
        <p className="font-medium max-sm:text-sm">{t('cards.quoteKept')}</p>
        <p className="figures text-soft text-sm">
          {kept.brand.name}, {toDollars(kept.faceValue)}
        </p>
      </div>
      <Money amount={toDecimal(kept.pays)} size="xl" className="text-accent" />
    </div>
  )
}
