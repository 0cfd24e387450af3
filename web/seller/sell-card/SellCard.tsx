import { brandToSell, quote as quoteFor } from '#domain/quote.ts'
import { cardName } from '#web/cards/text.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { useSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { Sale } from './Sale.tsx'

/** Two steps: the quote once more, then the card, its photos and the payout. */
export default function SellCard() {
  const [address] = useSearchParams()
  const { brands } = useBrands()
  const { user } = useSession()
  // The address is anybody's to write: the brand is checked, and with the value the quote is computed anew.
  const brand = brandToSell(address.get('brand') ?? '', brands)
  return (
    <div className="measure grid grid-cols-1 gap-6 py-6 md:gap-8 md:py-12">
      <PageTitle>Sell your card</PageTitle>
      {/* Smaller than the amount, which is beside the form on wide screens and in one line above it on others. */}
      <h1 className="wrap-anywhere text-2xl lg:text-3xl">
        {brand ? `Sell your ${cardName(brand.name)}` : 'Sell your card'}
      </h1>
      {brand && user ? <Sale key={brand.value} brand={brand} userId={user.id} /> : <NoBrand brand={brand} />}
    </div>
  )
}

function NoBrand({ brand }: { brand: ReturnType<typeof brandToSell> }) {
  return (
    <EmptyState
      title={quoteFor(brand, '').problem}
      action={<ButtonLink to={paths.getQuote}>Choose a brand</ButtonLink>}
    >
      Every sale begins with a quote. It takes a few seconds.
    </EmptyState>
  )
}
