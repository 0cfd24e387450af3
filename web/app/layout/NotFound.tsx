import { SearchX } from 'lucide-react'
import { ButtonLink } from '#web/kit/Button.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { paths } from '#web/words/paths.ts'

export default function NotFound() {
  return (
    <div className="measure grid min-h-[60dvh] place-items-center py-16">
      <PageTitle>Page not found</PageTitle>
      <div className="grid max-w-md justify-items-center gap-4 text-center">
        <SearchX aria-hidden="true" className="size-10 text-soft" />
        <p className="figures font-semibold text-soft">404</p>
        <h1 className="text-3xl">This page does not exist</h1>
        <p className="text-lg text-soft">
          The address may be mistyped, or the page has moved. Your cards and payouts are where you left them.
        </p>
        <div className="flex flex-wrap justify-center gap-2 pt-2">
          <ButtonLink to={paths.home}>Back to Home</ButtonLink>
          <ButtonLink to={paths.getQuote} variant="secondary">
            Get Quote
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}
