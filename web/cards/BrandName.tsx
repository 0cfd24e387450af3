import type { Brand } from '#domain/brands.ts'
import { type Cents, toPlainDollars } from '#domain/money.ts'
import { useWords } from '#web/words/words.ts'
import { BrandTile } from './BrandTile.tsx'
import { percent } from './text.ts'

/** A brand with its tile, rate and limits. */
export function BrandName({ brand }: { brand: Brand }) {
  const t = useWords()
  const dollars = (cents: Cents) => `$${toPlainDollars(cents)}`
  return (
    <div className="flex min-w-0 items-center gap-3">
      <BrandTile name={brand.name} size="lg" />
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold text-lg">{brand.name}</p>
        <p className="figures text-soft text-sm">
          {t('cards.terms', {
            rate: percent(brand.rate),
            minimum: dollars(brand.minimum),
            maximum: dollars(brand.maximum),
          })}
        </p>
      </div>
    </div>
  )
}
