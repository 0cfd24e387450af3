import type { SellerSubmission } from '#contract/submissions.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { useSession } from '#web/wire/session.ts'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { CardLink } from './card/CardLink.tsx'
import { UnpayableAccount } from './payout/PayoutStatus.tsx'
import { AskForReview } from './review/AskForReview.tsx'
import { amountOf, SellerAmount } from './SellerAmount.tsx'
import { SellerBadge } from './SellerBadge.tsx'
import { statusText } from './status-text.ts'

/** The top of a confirmation that was opened or left open after a decision. */
export function CardUpdate({ cards }: { cards: readonly SellerSubmission[] }) {
  const t = useWords()
  const { user } = useSession()
  const outcomes = new Set(cards.map((card) => statusText(t, card, user?.mustConfirmEmail)))
  const [outcome] = outcomes
  // Cards that were decided differently have their outcomes below.
  const title = outcomes.size === 1 && outcome ? outcome : t('seller.update.title', { count: cards.length })
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <header className="grid gap-3">
        <h1 className="text-3xl">{title}</h1>
        <p className="text-balance text-lg text-soft">{t('seller.update.intro')}</p>
      </header>
      <ul className="divide-y divide-line border-line border-y">
        {cards.map((card) => (
          <li key={card.id} className="flex items-start justify-between gap-4 py-4">
            <div className="wrap-anywhere grid min-w-0 justify-items-start gap-2">
              <p className="font-medium">
                <CardLink card={card} />
              </p>
              <SellerBadge card={card} />
            </div>
            <SellerAmount
              amount={amountOf(card, card.sellingPrice)}
              card={card}
              className="shrink-0 text-right"
            />
          </li>
        ))}
      </ul>
      {cards[0] && cards.length === 1 && (
        <ButtonLink
          to={pathTo('accountCard', { id: cards[0].id })}
          size="lg"
          className="sm:justify-self-start"
        >
          {t('seller.update.open')}
        </ButtonLink>
      )}
      <UnpayableAccount cards={cards} />
      <AskForReview cards={cards} />
    </>
  )
}
