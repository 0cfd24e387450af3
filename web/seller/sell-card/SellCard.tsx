import { useState } from 'react'
import { useSearchParams } from '../../router/index.ts'
import { MAX_PHOTO_BYTES, MAX_PHOTOS, PHOTO_ACCEPT } from '#domain/photo-files.ts'
import { brandToSell, quote as quoteFor } from '#domain/quote.ts'
import { PageTitle } from '../../layout/PageTitle.tsx'
import { paths } from '../../paths.ts'
import { cardName } from '../../quote/card-name.ts'
import { useBrands } from '../../quote/use-brands.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/Panel.tsx'
import { usePhotos } from '../../ui/photos/use-photos.ts'
import { emptyDraft } from './draft.ts'
import { QuoteStep } from './QuoteStep.tsx'
import { Steps } from './Steps.tsx'
import { SubmissionStep } from './SubmissionStep.tsx'

/** Two steps: the quote once more, then the card, its photos and the payout. */
export default function SellCard() {
  const [address] = useSearchParams()
  const { brands } = useBrands()
  const [step, setStep] = useState<1 | 2>(1)
  const [value, setValue] = useState(address.get('value') ?? '')
  // Kept here and not in the second step, so that nothing is lost on the way back to the quote.
  const [draft, setDraft] = useState(emptyDraft)
  const photos = usePhotos({ max: MAX_PHOTOS, maxBytes: MAX_PHOTO_BYTES, accept: PHOTO_ACCEPT })
  // The address is anybody's to write: brand and value are checked and the quote is computed anew.
  const brand = brandToSell(address.get('brand') ?? '', brands)
  const { quote, problem } = quoteFor(brand, value)

  function goTo(next: 1 | 2) {
    setStep(next)
    window.scrollTo({ top: 0 })
  }

  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>Sell your card</PageTitle>
      <PageHeader title={brand ? `Sell your ${cardName(brand.name)}` : 'Sell your card'} />
      {brand ? (
        <>
          <Steps current={step} names={['Your quote', 'Card, photos and payout']} />
          {step === 2 && quote ? (
            <SubmissionStep
              quote={quote}
              draft={draft}
              onDraft={setDraft}
              photos={photos}
              onBack={() => goTo(1)}
            />
          ) : (
            <QuoteStep
              brand={brand}
              value={value}
              onValue={setValue}
              quote={quote}
              problem={problem}
              onContinue={() => goTo(2)}
            />
          )}
        </>
      ) : (
        <EmptyState title={problem} action={<ButtonLink to={paths.getQuote}>Choose a brand</ButtonLink>}>
          Every sale begins with a quote. It takes a few seconds.
        </EmptyState>
      )}
    </div>
  )
}
