import { Check } from 'lucide-react'
import type { Brand } from '#domain/brands.ts'
import { toShortDollars } from '#domain/money.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { percent } from '#web/cards/text.ts'
import { cx } from '#web/kit/cx.ts'
import { useWords } from '#web/words/words.ts'

/** Brands with their rates and limits. @param byLetter under the letters that their names begin with */
export function BrandList({ brands, byLetter = false, className, ...choice }: BrandListProps) {
  const t = useWords()
  return (
    <section aria-labelledby="all-brands" className={cx('grid grid-cols-1 gap-4', className)}>
      <h2 id="all-brands" className="font-semibold text-xl">
        {t('quote.all')}
      </h2>
      {byLetter ? (
        <div className="gap-x-6 sm:columns-2">
          {[...new Set(brands.map(letterOf))].map((letter) => (
            <div key={letter} className="break-inside-avoid pb-4">
              <h3 className="px-3 pb-1 font-semibold text-base text-soft">{letter}</h3>
              <BrandRows brands={brands.filter((brand) => letterOf(brand) === letter)} {...choice} />
            </div>
          ))}
        </div>
      ) : (
        <BrandRows brands={brands} {...choice} />
      )}
    </section>
  )
}

const letterOf = ({ name }: Brand) => name.charAt(0).toUpperCase()

type BrandListProps = BrandChoice & { byLetter?: boolean; className?: string | undefined }

function BrandRows({ brands, chosen, onChoose }: BrandChoice) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line bg-surface">
      {brands.map((brand) => (
        <li key={brand.value}>
          <BrandRow brand={brand} chosen={brand.value === chosen?.value} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  )
}

export interface BrandChoice {
  brands: readonly Brand[]
  chosen: Brand | undefined
  onChoose: (brand: Brand) => void
}

function BrandRow({ brand, chosen, onChoose }: BrandRowProps) {
  const t = useWords()
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={() => onChoose(brand)}
      className={cx(
        'flex min-h-14 w-full items-center gap-3 px-3 py-2 text-left focus-visible:-outline-offset-2',
        chosen ? 'bg-accent-quiet' : 'hover:bg-sunken',
      )}
    >
      <BrandTile name={brand.name} size="sm" />
      <span className="grid min-w-0 flex-1">
        <span className="wrap-anywhere font-medium">{brand.name}</span>
        <span className="wrap-anywhere text-soft text-xs">
          {t('quote.categoryAndLimits', {
            category: t(`quote.category.${brand.category}`),
            minimum: toShortDollars(brand.minimum),
            maximum: toShortDollars(brand.maximum),
          })}
        </span>
      </span>
      {chosen && <Check aria-hidden="true" className="size-5 text-accent" />}
      <span className="figures font-semibold">{percent(brand.rate)}</span>
    </button>
  )
}

interface BrandRowProps {
  brand: Brand
  chosen: boolean
  onChoose: (brand: Brand) => void
}
