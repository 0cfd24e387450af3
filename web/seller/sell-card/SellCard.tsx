import { brandToSell, quote as quoteFor } from '#domain/quote.ts'
import { useSession } from '../../api/session.ts'
import { PageTitle } from '../../layout/PageTitle.tsx'
import { paths } from '../../paths.ts'
import { cardName } from '../../quote/card-name.ts'
import { useBrands } from '../../quote/use-brands.ts'
import { useSearchParams } from '../../router/index.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
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
