import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CircleCheck, Copy } from 'lucide-react'
import { type ComponentProps, Suspense } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerBalance, SellerSubmission } from '#contract/submissions.ts'
import { inDollars, parseDollars, toDecimal } from '#domain/money.ts'
import { referenceOf } from '#domain/reference.ts'
import { AmountCard } from '#web/cards/AmountCard.tsx'
import { CardArt } from '#web/cards/CardArt.tsx'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { ButtonLink, IconButton, TextLink } from '#web/kit/Button.tsx'
import { copyText } from '#web/kit/copy-text.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Money } from '#web/kit/Money.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Spinner } from '#web/kit/Spinner.tsx'
import { Time } from '#web/kit/Time.tsx'
import { readPages, rowsOf } from '#web/wire/pages.ts'
import { read } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { paths, pathTo } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords, withWords } from '#web/words/words.ts'
import { paymentMethodIn } from '#words/payment-method.ts'
import { foundLess, lowerBalanceText } from './lower-balance.ts'
import { useExpectedDay } from './payout/expected-day.ts'
import { amountOf } from './SellerAmount.tsx'

const CardUpdate = lazyComponent(() =>
  withWords('seller', import('./CardUpdate.tsx')).then((module) => module.CardUpdate),
)

const AskForNews = lazyComponent(
  () => withWords('seller', import('./push/ThisBrowser.tsx')).then((module) => module.AskForNews),
  { silent: true },
)

const AskForReview = lazyComponent(
  () => withWords('seller', import('./review/AskForReview.tsx')).then((module) => module.AskForReview),
  { silent: true },
)

const ConfirmEmailNotice = lazyComponent(
  () => withWords('seller', import('./ConfirmEmailNotice.tsx')).then((module) => module.ConfirmEmailNotice),
  { silent: true },
)

const UnpayableAccount = lazyComponent(
  () => withWords('seller', import('./payout/PayoutStatus.tsx')).then((module) => module.UnpayableAccount),
  { silent: true },
)

const PaidTo = lazyComponent(
  () => withWords('seller', import('./payout/PaidTo.tsx')).then((module) => module.PaidTo),
  { silent: true },
)

export default function Confirmation() {
  const t = useWords()
  const [address] = useSearchParams()
  const transactionId = address.get('transactionId')
  const giftCardId = address.get('giftCardId')
  const saleId = address.get('saleId')
  const { user } = useSession()
  const { cards, isLoading } = useConfirmedCards(giftCardId, saleId)
  const expectedDay = useExpectedDay(cards[0])?.expectedOn
  const isApproved = cards.length > 0 && cards.every(isInstant)
  const isSent =
    isApproved && cards.every(({ payout }) => payout?.state === 'sent' || payout?.state === 'paid')
  const isUpdated = !isApproved && cards.some(({ status }) => status !== 'pending')
  const isSale = saleId !== null && cards.length !== 1
  const cardId = giftCardId ?? (isSale ? undefined : cards[0]?.id)
  const title = t(titles[isApproved ? 'approved' : 'inReview'][isSale ? 'sale' : 'card'])
  const needsAccount = !isApproved && cards.some(({ routingNumberSuspect }) => routingNumberSuspect)
  const count = Math.max(cards.length, 1)
  const paymentText = user?.mustConfirmEmail
    ? isApproved
      ? 'confirmation.next.payment.approvedUnconfirmed'
      : 'confirmation.next.payment.unconfirmed'
    : isApproved
      ? 'confirmation.next.payment.approved'
      : needsAccount
        ? 'confirmation.next.payment.account'
        : cards[0]?.paymentType === 'bank_transfer'
          ? 'confirmation.next.payment.bank'
          : 'confirmation.next.payment.text'
  const intro = t(
    needsAccount
      ? 'confirmation.introAccount'
      : user?.mustConfirmEmail
        ? 'confirmation.introConfirm'
        : isApproved
          ? 'confirmation.approved.intro'
          : 'confirmation.intro',
    { count: cards.length },
  )
  return (
    <div className="measure py-8 md:py-16">
      <div className="mx-auto grid grid-cols-1 max-w-2xl gap-8">
        {isUpdated ? (
          <Suspense fallback={<Skeleton className="h-40" />}>
            <CardUpdate cards={cards} />
          </Suspense>
        ) : (
          <header className="grid gap-3">
            <PageTitle>{title}</PageTitle>
            <CardArt scene="sent" className="mb-2 h-28 w-auto justify-self-start" />
            <h1 className="text-3xl">{title}</h1>
            <p className="text-lg text-soft">{intro}</p>
          </header>
        )}
        {isLoading && <Skeleton className={isSale ? 'h-40' : 'h-28'} />}
        {!isLoading &&
          !isUpdated &&
          cards[0] &&
          (isSale ? <ConfirmedSale cards={cards} /> : <ConfirmedCard card={cards[0]} />)}
        {user?.mustConfirmEmail && (
          <Suspense>
            <ConfirmEmailNotice
              user={user}
              rejected={isUpdated && cards.every(({ status }) => status === 'rejected')}
            />
          </Suspense>
        )}
        {user && (
          <Suspense>
            <AskForNews />
          </Suspense>
        )}
        <Ledger className="border-line border-y empty:hidden">
          {!isUpdated && (
            <LedgerRow name={t('confirmation.status')}>
              <StatusBadge status={isApproved ? 'approved' : 'pending'} />
            </LedgerRow>
          )}
          {!isUpdated && cards[0] && (
            <Suspense>
              <PaidTo card={cards[0]} count={cards.length} />
            </Suspense>
          )}
          {cardId && (
            <LedgerRow name={t('confirmation.reference')}>
              <span className="-my-2.5 -mr-2.5 inline-flex items-center">
                <span className="figures">{referenceOf(cardId)}</span>
                <IconButton
                  label={t('confirmation.reference.copy')}
                  onClick={() => copyText(referenceOf(cardId), t('confirmation.reference.name'))}
                >
                  <Copy aria-hidden="true" className="size-4" />
                </IconButton>
              </span>
            </LedgerRow>
          )}
        </Ledger>
        {(transactionId || giftCardId) && (
          <details className="-mt-7 text-soft text-sm">
            <summary className="inline-flex min-h-11 items-center underline underline-offset-4">
              {t('confirmation.details')}
            </summary>
            <dl className="grid gap-2">
              {transactionId && <Id name={t('confirmation.transactionId')} value={transactionId} />}
              {giftCardId && <Id name={t('confirmation.giftCardId')} value={giftCardId} />}
            </dl>
          </details>
        )}
        {!isUpdated && (
          <Panel aria-labelledby="next" className="grid gap-5">
            <h2 id="next" className="text-xl">
              {t('confirmation.next')}
            </h2>
            <ol className="grid gap-5">
              {steps.slice(isSent ? 2 : isApproved ? 1 : 0).map((step, index) => (
                <li key={step} className="grid grid-cols-[2rem_1fr] gap-3">
                  <span
                    aria-hidden="true"
                    className="figures grid size-8 place-items-center rounded-full bg-accent-quiet font-semibold text-accent text-sm"
                  >
                    {index + 1}
                  </span>
                  <div className="pt-0.5">
                    <h3 className="font-semibold">{t(`confirmation.next.${step}`)}</h3>
                    <p className="text-soft">
                      {step === 'payment' && expectedDay && !isApproved ? (
                        <Rich
                          id="confirmation.next.payment.expected"
                          tags={{ date: () => <Time at={expectedDay} as="weekday" /> }}
                        />
                      ) : (
                        t(step === 'payment' ? paymentText : `confirmation.next.${step}.text`, { count })
                      )}
                    </p>
                  </div>
                </li>
              ))}
            </ol>
          </Panel>
        )}
        <div className="flex flex-col gap-2 sm:flex-row">
          <ButtonLink
            to={isSale ? paths.account : paths.transactions}
            size="lg"
            variant={isUpdated && !isSale ? 'secondary' : 'primary'}
          >
            {t(isSale ? 'confirmation.sale.follow' : 'confirmation.transactions')}
          </ButtonLink>
          <ButtonLink to={paths.getQuote} size="lg" variant="secondary">
            {t('confirmation.sellAnother')}
          </ButtonLink>
        </div>
        <p>
          <TextLink to={paths.home}>{t('confirmation.home')}</TextLink>
        </p>
      </div>
    </div>
  )
}

const titles = {
  inReview: { card: 'confirmation.title', sale: 'confirmation.sale.title' },
  approved: { card: 'confirmation.approved.title', sale: 'confirmation.approved.saleTitle' },
} as const

const steps = ['review', 'payment', 'email'] as const

/** The cards that were just submitted. Only their seller gets them, because anyone can put an id into the address. */
function useConfirmedCards(giftCardId: string | null, saleId: string | null) {
  const isSignedIn = useSession().user !== undefined
  const list = useInfiniteQuery({
    ...readPages(routes.mySubmissions),
    enabled: isSignedIn && giftCardId !== null,
    refetchInterval: ({ state }) => pollMs(rowsOf(state.data)),
  })
  const sale = useQuery({
    ...read(routes.mySubmissions, { query: { saleId: saleId ?? '' } }),
    enabled: isSignedIn && saleId !== null,
    refetchInterval: ({ state }) => pollMs(state.data),
  })
  if (saleId === null) {
    return { cards: rowsOf(list.data).filter(({ id }) => id === giftCardId), isLoading: list.isLoading }
  }
  // Until then, the form may have left the list from before its last card was sent.
  return { cards: sale.data ?? [], isLoading: sale.isFetching && !sale.isFetchedAfterMount }
}

/** A policy approved it, and its payout did not come back. */
const isInstant = ({ checkedAutomatically, payout }: SellerSubmission): boolean =>
  checkedAutomatically === true && !payout?.needsAccount

function Id({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="figures break-all text-xs">{value}</dd>
    </div>
  )
}

/** What each card of a sale pays, and all of them. */
function ConfirmedSale({ cards }: { cards: readonly SellerSubmission[] }) {
  const t = useWords()
  const total = cards.reduce((sum, card) => sum + (parseDollars(amountOf(card, card.sellingPrice)) ?? 0), 0)
  const worth = cards.reduce((sum, { denomination }) => sum + (parseDollars(denomination) ?? 0), 0)
  const isUnsure = cards.some(foundLess)
  const isOpen = cards.some(({ status }) => status === 'pending')
  return (
    <section aria-label={t('confirmation.sale.cards')} className="grid gap-4">
      <AmountCard
        amount={toDecimal(total)}
        label={t(isOpen ? 'confirmation.sale.quote' : 'confirmation.sale.youReceive', {
          count: cards.length,
        })}
        share={(100 * total) / worth}
        isOpen={isUnsure || isOpen}
      >
        <p className="text-soft text-sm">
          <Rich
            id="confirmation.sale.cardValue"
            values={{ amount: toDecimal(worth) }}
            tags={{ amount: (text) => <Money amount={text} /> }}
          />
        </p>
      </AmountCard>
      <ul className="divide-y divide-line border-line border-y">
        {cards.map((card) => (
          <li key={card.id} className="flex items-center justify-between gap-4 py-2">
            <span className="min-w-0">
              <TextLink
                to={pathTo('accountCard', { id: card.id })}
                className="wrap-anywhere inline-flex min-h-11 items-center md:min-h-0"
              >
                {card.brandName}
              </TextLink>
              <span className="block text-soft text-sm max-md:-mt-2">
                <Rich
                  id="confirmation.cardValue"
                  values={{ amount: card.denomination }}
                  tags={{ amount: (text) => <Money amount={text} /> }}
                />
                {' · '}
                <span className="figures">{referenceOf(card.id)}</span>
              </span>
              <ProgressLine card={card} />
            </span>
            <Money amount={amountOf(card, card.sellingPrice)} size="lg" />
          </li>
        ))}
      </ul>
      <Suspense>
        <UnpayableAccount cards={cards} />
      </Suspense>
      <ReviewLater cards={cards} />
    </section>
  )
}

/** What the card pays. */
function ConfirmedCard({ card }: { card: SellerSubmission }) {
  const t = useWords()
  const isUnsure = foundLess(card)
  const isOpen = card.status === 'pending'
  const amount = amountOf(card, card.sellingPrice)
  const receive = card.payout?.state === 'paid' ? 'confirmation.youReceived' : 'confirmation.youReceive'
  return (
    <>
      <AmountCard
        amount={amount}
        label={t(isOpen ? 'confirmation.quote' : receive)}
        share={(100 * Number(amount)) / Number(card.denomination)}
        isOpen={isOpen || isUnsure}
      >
        <p className="text-soft text-sm">
          <TextLink to={pathTo('accountCard', { id: card.id })}>{card.brandName}</TextLink> ·{' '}
          <Rich
            id="confirmation.cardValue"
            values={{ amount: card.denomination }}
            tags={{ amount: (text) => <Money amount={text} /> }}
          />
        </p>
        <ProgressLine card={card} />
      </AmountCard>
      <Suspense>
        <UnpayableAccount cards={[card]} />
      </Suspense>
      <ReviewLater cards={[card]} />
    </>
  )
}

/** The live channel brings the balance. This ends the wait if it does not come. */
const BALANCE_POLL_MS = 5_000

function pollMs(cards: readonly SellerSubmission[] = []): number | false {
  return cards.some(({ balanceCheck }) => balanceCheck?.state === 'checking') && BALANCE_POLL_MS
}

/** What the shop's own service finds on the card, and what a policy and the payout make of it, as it happens. */
function ProgressLine({ card }: { card: SellerSubmission }) {
  const t = useWords()
  const { balanceCheck: check, payout } = card
  if (!check && !isInstant(card)) return null
  return (
    <p role="status" className="figures flex items-center gap-2 text-sm">
      {check ? <BalanceText card={card} check={check} /> : <CircleCheck className="size-4 text-positive" />}
      {!check &&
        (payout?.state === 'sent' || payout?.state === 'paid'
          ? t(payout.state === 'paid' ? 'confirmation.paid' : 'confirmation.onItsWay', {
              method: paymentMethodIn(t, payout.paymentType),
            })
          : t('confirmation.approved'))}
    </p>
  )
}

function BalanceText({ card, check: { state, amount } }: { card: SellerSubmission; check: SellerBalance }) {
  const t = useWords()
  return (
    <>
      {state === 'checking' && <Spinner />}
      {state === 'found' && amount !== null
        ? (lowerBalanceText(t, card) ?? t('confirmation.balance.found', { amount: inDollars(amount) }))
        : t(state === 'checking' ? 'confirmation.balance.checking' : 'confirmation.balance.byPerson')}
    </>
  )
}

/** For sellers who come back to this page after the payout. */
function ReviewLater({ cards }: ComponentProps<typeof AskForReview>) {
  if (cards.every(({ toReview }) => toReview === null)) return null
  return (
    <Suspense>
      <AskForReview cards={cards} />
    </Suspense>
  )
}
