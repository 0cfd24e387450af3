import { lazy, Suspense, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { Brand } from '#domain/brands.ts'
import { toDecimal } from '#domain/money.ts'
import { brandToSell, quote as quoteFor } from '#domain/quote.ts'
import { CardArt } from '#web/cards/CardArt.tsx'
import { useRateChange } from '#web/cards/rate-change.ts'
import { cardName } from '#web/cards/text.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { whenOnline } from '#web/kit/lazy-component.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { useSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { useWords, withWords } from '#web/words/words.ts'
import { QuoteStep } from './QuoteStep.tsx'
import { Sale, type SaleStart } from './Sale.tsx'
import { useToConfirmation } from './use-submissions.ts'

// Few visits need these. Each is the whole screen, so the error boundary shows that it did not load.
const Resubmission = lazy(() =>
  whenOnline(() => withWords('resubmission', import('./Resubmission.tsx'))).then((module) => ({
    default: module.Resubmission,
  })),
)
const SeveralCards = lazy(() =>
  whenOnline(() => import('./SeveralCards.tsx')).then((module) => ({ default: module.SeveralCards })),
)

/** Sells the card in the address, or the list of cards of this tab. */
export default function SellCard() {
  const t = useWords()
  const [address] = useSearchParams()
  const saleId = address.get('sale')
  const { user } = useSession()
  return (
    <div className="measure grid grid-cols-1 gap-6 py-6 md:gap-8 md:py-12">
      <PageTitle>{t('sellCard.title')}</PageTitle>
      {!user ? null : saleId ? (
        <Suspense fallback={<SkeletonRows rows={3} label={t('sellCard.sale.loading')} />}>
          <SeveralCards key={saleId} saleId={saleId} user={user} />
        </Suspense>
      ) : (
        <CardInAddress user={user} />
      )}
    </div>
  )
}

function CardInAddress({ user }: { user: User }) {
  const t = useWords()
  const [address] = useSearchParams()
  const { brands } = useBrands()
  // Anyone can edit the address, so the brand is checked and the quote computed again.
  const brand = brandToSell(address.get('brand') ?? '', brands)
  const resubmissionOf = address.get('resubmissionOf')
  return (
    <>
      {!(brand && resubmissionOf) && (
        // Smaller than the amount, which matters more.
        <h1 className="wrap-anywhere text-2xl lg:text-3xl">
          {brand ? t('sellCard.heading', { card: cardName(brand.name) }) : t('sellCard.title')}
        </h1>
      )}
      {!brand ? (
        <NoBrand brand={brand} />
      ) : resubmissionOf ? (
        <Suspense fallback={<SkeletonRows rows={3} label={t('sellCard.again.loading')} />}>
          <Resubmission key={resubmissionOf} id={resubmissionOf} brandName={brand.name}>
            {(start) => <OneCard brand={brand} user={user} resubmissionOf={resubmissionOf} start={start} />}
          </Resubmission>
        </Suspense>
      ) : (
        <OneCard key={brand.value} brand={brand} user={user} />
      )}
    </>
  )
}

function NoBrand({ brand }: { brand: null | undefined }) {
  const t = useWords()
  const { problem } = quoteFor(brand, '')
  return (
    <EmptyState
      icon={<CardArt scene="notFound" />}
      title={problem && t(`fields.${problem.code}`, problem.params)}
      action={<ButtonLink to={paths.getQuote}>{t('sellCard.noBrand.choose')}</ButtonLink>}
    >
      {t('sellCard.noBrand.text')}
    </EmptyState>
  )
}

/** A sale of one card, whose value can still be changed. */
function OneCard({ brand, user, resubmissionOf, start }: OneCardProps) {
  const toConfirmation = useToConfirmation()
  const [address] = useSearchParams()
  const { isFetched } = useBrands()
  const rate = useRateChange(brand, isFetched)
  const [value, setValue] = useState(address.get('value') ?? '')
  const { quote, problem } = quoteFor(brand, value)
  const name = resubmissionOf ?? brand.value
  return (
    <Sale
      user={user}
      start={start}
      query={{
        brand: brand.value,
        value,
        quote: toDecimal(quote?.pays ?? 0),
        ...(resubmissionOf && { resubmissionOf }),
      }}
      cards={[
        {
          name,
          brand,
          quote,
          rateChange: rate.change,
          acceptRate: rate.accept,
          resubmissionOf,
          keptNumber: start?.keptNumber,
          pinGiven: start?.pinGiven,
        },
      ]}
      payoutName={name}
      quoteStep={(goOn) => (
        <QuoteStep
          brand={brand}
          value={value}
          onValue={setValue}
          quote={quote}
          problem={problem}
          rateChange={rate.change}
          resubmissionOf={resubmissionOf}
          onContinue={() => {
            rate.accept()
            goOn()
          }}
        />
      )}
      onSent={([answer]) => {
        if (!answer) return
        void toConfirmation({ transactionId: answer.transaction.id, giftCardId: answer.giftCard.id })
      }}
    />
  )
}

interface OneCardProps {
  brand: Brand
  user: User
  /** The rejected submission of the same card. */
  resubmissionOf?: string
  /** What the form starts with. */
  start?: SaleStart | undefined
}
