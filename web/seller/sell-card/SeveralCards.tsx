import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { CardArt } from '#web/cards/CardArt.tsx'
import {
  deleteSaleList,
  type ListedCard,
  quoteOf,
  type SaleList,
  setSeller,
  updateListedCard,
  useSaleList,
} from '#web/cards/sale-list.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { CardPanel } from './CardPanel.tsx'
import { QuoteList } from './QuoteList.tsx'
import { Sale } from './Sale.tsx'
import type { CardToSell } from './sale-entry.ts'
import { useToConfirmation } from './use-submissions.ts'

/** A sale of the cards on the list of this tab. */
export function SeveralCards({ saleId, user }: { saleId: string; user: User }) {
  const t = useWords()
  const list = useSaleList()
  const isHere = list?.id === saleId && (list.sellerId ?? user.id) === user.id
  // Includes cards whose answer was lost, and cards that were sent from a copy of this tab.
  const sent = useQuery(read(routes.mySubmissions, { query: { saleId } }))
  const isSent = ({ submissionId, key }: ListedCard) =>
    submissionId || sent.data?.some(({ idempotencyKey }) => idempotencyKey === key)
  const unsent = isHere ? list.cards.filter((card) => !isSent(card)).length : 0
  useEffect(() => {
    if (isHere) setSeller(user.id)
  }, [isHere, user.id])

  return (
    <>
      <h1 className="wrap-anywhere text-2xl lg:text-3xl">
        {t('sellCard.heading.sale', { count: unsent || (sent.data?.length ?? 1) })}
      </h1>
      {sent.isLoading ? (
        <SkeletonRows rows={isHere ? list.cards.length : 1} label={t('sellCard.sale.loading')} />
      ) : isHere ? (
        <ListedCards list={list} submissions={sent.data ?? []} user={user} />
      ) : sent.data?.length ? (
        // Reached with the browser's Back from the confirmation.
        <EmptyState
          icon={<CardArt scene="sent" />}
          title={t('sellCard.sale.submitted', { count: sent.data.length })}
          action={
            <ButtonLink to={paths.account}>
              {t('sellCard.sale.submitted.follow', { count: sent.data.length })}
            </ButtonLink>
          }
        >
          {t('sellCard.sale.submitted.text', { count: sent.data.length })}
        </EmptyState>
      ) : (
        <EmptyState
          icon={<CardArt scene="lost" className="mb-6 h-24 w-auto" />}
          title={t('sellCard.sale.gone')}
          action={<ButtonLink to={paths.getQuote}>{t('sellCard.noBrand.choose')}</ButtonLink>}
        >
          {t('sellCard.sale.gone.text')}
        </EmptyState>
      )}
    </>
  )
}

function ListedCards({ list, submissions, user }: ListedCardsProps) {
  const toConfirmation = useToConfirmation()
  const { brands, isFetched } = useBrands()
  const cards = list.cards.map((listed) => {
    // Each card is sent with its key, so a submission whose answer was lost is found by it.
    const found = submissions.find(({ idempotencyKey }) => idempotencyKey === listed.key)
    const card = found ? { ...listed, ...sold(found) } : listed
    return { card, ...quoteOf(card, brands, isFetched) }
  })
  const toSell = cards.flatMap(({ card, brand, quote, change }): CardToSell[] =>
    brand
      ? [
          {
            name: card.key,
            key: card.key,
            brand,
            quote,
            rateChange: change,
            acceptRate: () => updateListedCard(card.key, { rate: brand.rate }),
            isSent: card.submissionId !== undefined,
            onAccepted: ({ giftCard }) => updateListedCard(card.key, sold(giftCard)),
          },
        ]
      : [],
  )
  return (
    <Sale
      user={user}
      saleId={list.id}
      CardPanel={CardPanel}
      cards={toSell}
      payoutName={list.id}
      query={{ sale: list.id }}
      quoteStep={(goOn) => <QuoteList cards={cards} onContinue={goOn} />}
      onSent={() => {
        void toConfirmation({ saleId: list.id }).then(() => deleteSaleList(list.id))
      }}
    />
  )
}

/** Less than the listed value was sold of a partially used card. */
const sold = ({ id, denomination }: SellerSubmission) => ({ submissionId: id, value: denomination })

interface ListedCardsProps {
  list: SaleList
  /** Of this sale. */
  submissions: readonly SellerSubmission[]
  user: User
}
