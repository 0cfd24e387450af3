import { ChevronRight } from 'lucide-react'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { Link } from '#web/kit/router/index.ts'
import { pathTo } from '#web/words/paths.ts'

/** Brands with their rates. Each leads to its quote. */
export function BrandRows({ brands }: { brands: readonly BrandRow[] }) {
  return (
    <ul className="grid grid-cols-1 sm:grid-cols-2 sm:gap-x-10 lg:grid-cols-3">
      {brands.map(({ name, slug, rate }) => (
        <li
          key={slug}
          // The first row, which has one, two or three items, also has a line above it.
          className="border-line border-b first:border-t sm:nth-[-n+2]:border-t lg:nth-[-n+3]:border-t"
        >
          <Link
            to={pathTo('getQuote', { brand: slug })}
            className="group flex items-center gap-4 py-3 sm:py-4"
          >
            <BrandTile name={name} />
            <span className="wrap-anywhere flex-1 font-medium text-lg group-hover:text-accent group-hover:underline">
              {name}
            </span>
            <span className="figures font-semibold text-xl">{rate}</span>
            <ChevronRight aria-hidden="true" className="-ml-2 size-5 text-soft" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

interface BrandRow {
  name: string
  slug: string
  rate: string
}
