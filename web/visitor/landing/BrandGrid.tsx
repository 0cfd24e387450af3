import { ArrowRight, ChevronRight } from 'lucide-react'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { ButtonLink } from '#web/kit/Button.tsx'
import { Link } from '#web/kit/router/index.ts'
import { landing } from '#web/words/landing.ts'
import { paths, pathTo } from '#web/words/paths.ts'

export function BrandGrid() {
  const { title, all, samples } = landing.brands
  return (
    <section aria-labelledby="brands" className="grid gap-8">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h2 id="brands" className="text-3xl">
          {title}
        </h2>
        <ButtonLink to={paths.getQuote} variant="secondary">
          {all}
          <ArrowRight aria-hidden="true" className="size-4" />
        </ButtonLink>
      </div>
      <ul className="grid grid-cols-1 sm:grid-cols-2 sm:gap-x-10 lg:grid-cols-3">
        {samples.map(({ name, slug, rate }) => (
          <li
            key={name}
            // The first row has a line above it as well: one item, two or three.
            className="border-line border-b first:border-t sm:nth-[-n+2]:border-t lg:nth-[-n+3]:border-t"
          >
            <Link to={pathTo('getQuote', { brand: slug })} className="group flex items-center gap-4 py-4">
              <BrandTile name={name} />
              <span className="flex-1 font-medium text-lg group-hover:text-accent group-hover:underline">
                {name}
              </span>
              <span className="figures font-semibold text-xl">{rate}</span>
              <ChevronRight aria-hidden="true" className="-ml-2 size-5 text-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
