import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SellerHome } from '#contract/home.ts'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { inDollars, parseDollars, toDecimal } from '#domain/money.ts'
import { CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import { isFixable } from '#domain/resubmission.ts'
import { AmountCard } from '#web/cards/AmountCard.tsx'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { CardArt } from '#web/cards/CardArt.tsx'
import { ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Failure, Notice } from '#web/kit/Notice.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { Link } from '#web/kit/router/index.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { paths, pathTo } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { AccountPage } from '../AccountPage.tsx'
import { ConfirmEmailNotice } from '../ConfirmEmailNotice.tsx'
import { askPath, CardLink } from '../card/CardLink.tsx'
import { Deadline } from '../card/Deadline.tsx'
import { Tracker } from '../card/Tracker.tsx'
import { WrittenByTeam } from '../card/WrittenByTeam.tsx'
import { foundLess } from '../lower-balance.ts'
import { AccountNeeded, byFailedAccount, byUrgency, grouped } from '../payout/AccountNeeded.tsx'
import { Arrival } from '../payout/Arrival.tsx'
import { PayoutStatus, UnpayableAccount } from '../payout/PayoutStatus.tsx'
import { resubmissionPath } from '../RejectedActions.tsx'
import { AskForReview } from '../review/AskForReview.tsx'
import { amountOf, isSafe, isUnpaid } from '../SellerAmount.tsx'
import { needsSupport, statusText, waitsForEmail } from '../status-text.ts'
import { sayTogetherOnce } from './joint-payments.ts'

/** The seller's home: what needs them, what is under way, and what was paid. */
export default function Home() {
  const t = useWords()
  const { user } = useSession()
  const home = useQuery(read(routes.myHome, {}))
  return (
    <AccountPage
      title={t('account.title')}
      header={
        <div className="flex flex-wrap items-center justify-between gap-4">
          <PageHeader title={t('account.hello', { name: user?.firstName || user?.username || '' })} />
          {home.data && !isEmpty(home.data) && (
            <ButtonLink
              variant={hasPrimaryTask(home.data) || home.data.bouncedEmail ? 'secondary' : 'primary'}
              to={paths.getQuote}
            >
              {t('account.sellAnother')}
            </ButtonLink>
          )}
        </div>
      }
    >
      {home.isPending && <SkeletonRows rows={3} label={t('account.loading')} />}
      {home.isLoadingError && (
        <Failure message={messageOf(home.error, t('account.failed'))} onRetry={() => void home.refetch()} />
      )}
      {user?.mustConfirmEmail && (
        <ConfirmEmailNotice user={user} approved={home.data !== undefined && onlyEmailIsMissing(home.data)} />
      )}
      {home.data?.bouncedEmail && (
        <BounceNotice email={home.data.bouncedEmail} primary={!hasPrimaryTask(home.data)} />
      )}
      {/* On phones one column, with the sum below what needs the seller. */}
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="contents grid-cols-1 gap-8 lg:grid">
          {home.data && <Tasks home={home.data} />}
          {home.data && <Lists home={home.data} />}
          {home.data && <Later home={home.data} />}
        </div>
        <div className="contents gap-8 lg:grid">
          {home.data && <MoneyToReceive home={home.data} />}
          {/* Hidden while the rest loads, so that nothing jumps. */}
          {!home.isPending && <Settings />}
        </div>
      </div>
    </AccountPage>
  )
}

function BounceNotice({ email, primary }: { email: string; primary: boolean }) {
  const t = useWords()
  return (
    <Notice
      tone="caution"
      title={t('account.bounce.title', { email })}
      action={
        <ButtonLink size="sm" variant={primary ? 'primary' : 'secondary'} to={paths.profile}>
          {t('account.bounce.action')}
        </ButtonLink>
      }
    >
      {t('account.bounce.text')}
    </Notice>
  )
}

function TaxDetailsNotice() {
  const t = useWords()
  const { data } = useQuery(read(routes.taxDetails, {}))
  if (!data?.threshold) return null
  return (
    <Notice
      tone="caution"
      title={t('account.tax.title')}
      action={
        <ButtonLink size="sm" variant="secondary" to={`${paths.profile}#tax`}>
          {t('account.tax.action')}
        </ButtonLink>
      }
    >
      {t('account.tax.text', { amount: inDollars(data.threshold) })}
    </Notice>
  )
}

/** What the seller will get for approved cards, in gold, and in lines above it what is not decided yet. Each note is under its sum. */
function MoneyToReceive({ home }: { home: SellerHome }) {
  const t = useWords()
  const { user } = useSession()
  const { needsYou, underWay, toReceive, paid } = home
  const { approved, inReview, asked, offers } = toReceive
  const hasApproved = Number(approved) > 0
  const cards = [...needsYou.cards, ...underWay.cards].filter(
    (card) => card.status === 'approved' || isSafe(card),
  )
  const counted = hasApproved ? cards : [...needsYou.cards, ...underWay.cards]
  const inReviewCount = inReview.count - inReview.lower
  const [first, ...rest] = [
    {
      amount: approved,
      count: cards.length,
      name: t(approvedLabel(home, user?.mustConfirmEmail)),
    },
    { ...inReview, count: inReviewCount, name: t('account.inReview', { count: inReviewCount }) },
    { ...asked, name: t('account.asked', { count: asked.count }) },
  ].filter(({ amount }) => Number(amount) > 0)
  if (!first) return null
  const sumOf = (key: 'denomination' | 'sellingPrice') =>
    counted.reduce((total, card) => total + (parseDollars(card[key]) ?? 0), 0)
  const offered = toDecimal(
    needsYou.cards.reduce((total, { offer }) => total + (parseDollars(offer?.amount ?? '') ?? 0), 0),
  )
  const payoutSum = (of: readonly SellerSubmission[]) =>
    toDecimal(of.reduce((total, { payout }) => total + (parseDollars(payout?.amount ?? '') ?? 0), 0))
  const returned = payoutSum(needsYou.cards.filter(({ payout }) => payout?.needsAccount))
  // After a change of the account.
  const waiting = grouped(
    underWay.cards.filter(({ payout }) => payout?.waitsUntil),
    ({ payout }) => payout?.waitsUntil ?? '',
  )
  const isAlone = rest.length === 0 && paid.count === 0 && areAllListed(home)
  const left = (
    <>
      {inReview.lower > 0 && <span>{t('account.withoutLower', { count: inReview.lower })}</span>}
      {offers > 0 && <span>{t('account.withoutOffers', { count: offers, amount: inDollars(offered) })}</span>}
    </>
  )
  const isLeft = inReview.lower > 0 || offers > 0
  return (
    <div className="max-lg:order-1">
      <AmountCard
        amount={first.amount}
        label={first.name}
        share={(100 * sumOf('sellingPrice')) / sumOf('denomination')}
        isOpen={!hasApproved}
        note={
          (Number(returned) > 0 || waiting.length > 0 || (isLeft && rest.length === 0)) && (
            <>
              {Number(returned) > 0 && (
                <span>
                  {returned === approved
                    ? t('account.withReturned.all')
                    : t('account.withReturned', { amount: inDollars(returned) })}
                </span>
              )}
              {waiting.map((cards) => (
                <span key={cards[0]?.id}>
                  <Rich
                    id={payoutSum(cards) === approved ? 'account.waits.all' : 'account.waits'}
                    values={{ amount: inDollars(payoutSum(cards)), hours: CHANGED_ACCOUNT_HOURS }}
                    tags={{ date: () => <Time at={cards[0]?.payout?.waitsUntil ?? ''} as="moment" /> }}
                  />
                </span>
              ))}
              {rest.length === 0 && left}
            </>
          )
        }
      >
        <div className="grid gap-3">
          {isAlone && first.count > 0 && (
            <p className="text-soft text-sm">{t('account.cards', { count: first.count })}</p>
          )}
          {paid.count > 0 && <Sum name={t('account.paidSoFar')} amount={paid.amount} />}
          {rest.length > 0 && (
            <div className="grid gap-1">
              {rest.map(({ name, amount }) => (
                <Sum key={name} name={name} amount={amount} />
              ))}
              {isLeft && <p className="grid gap-0.5 text-pretty text-soft text-xs">{left}</p>}
            </div>
          )}
        </div>
      </AmountCard>
    </div>
  )
}

/** What is true for all approved cards. Their rows say the rest. */
function approvedLabel(home: SellerHome, mustConfirmEmail = false): Key {
  const { needsYou, underWay } = home
  const isHeldUp = needsYou.cards.some((card) => card.payout?.needsAccount || isSafe(card))
  const approved = underWay.cards.filter(({ status }) => status === 'approved')
  const areSent = new Set(approved.map(({ payout }) => payout?.state === 'sent'))
  const isWaiting = approved.some(({ payout }) => payout?.waitsUntil)
  if (isHeldUp || isWaiting || !areAllListed(home) || areSent.size !== 1) return 'account.approved'
  if (areSent.has(true)) return 'account.onItsWay'
  return mustConfirmEmail ? 'account.waitsForEmail' : 'account.beingPrepared'
}

const areAllListed = ({ needsYou, underWay }: SellerHome) =>
  [needsYou, underWay].every(({ count, cards }) => count === cards.length)

function Sum({ name, amount }: { name: string; amount: string }) {
  return (
    <p className="flex items-baseline justify-between gap-4 text-sm">
      <span className="text-soft">{name}</span>
      <Money amount={amount} className="font-semibold text-ink" />
    </p>
  )
}

/** What needs the seller, or how to start if there is nothing at all. */
function Tasks({ home }: { home: SellerHome }) {
  const t = useWords()
  const { needsYou, rejected } = home
  const cards = rejected.cards.filter(isFixable)
  const fixable = { cards, count: cards.length }
  if (isEmpty(home)) {
    return (
      <EmptyState
        icon={<CardArt scene="empty" />}
        title={t('account.empty.title')}
        action={<ButtonLink to={paths.getQuote}>{t('account.empty.action')}</ButtonLink>}
      >
        {t('account.empty.text')}
      </EmptyState>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-8 empty:hidden">
      <Section list={needsYou} title={t('site.nav.needsYou', { count: needsYou.count })}>
        <ul className={listClass}>
          {byFailedAccount(byUrgency(needsYou.cards)).map((cards, index) => (
            <Task key={cards[0]?.id} cards={cards} primary={index === 0} />
          ))}
        </ul>
      </Section>
      <Section list={fixable} title={t('account.fixable', { count: fixable.count })}>
        <ul className={listClass}>
          {fixable.cards.map((card, index) => (
            <Row
              key={card.id}
              card={card}
              text={card.statusReason}
              action={
                <ButtonLink
                  size="sm"
                  variant={index === 0 && needsYou.count === 0 ? 'primary' : 'secondary'}
                  to={resubmissionPath({ ...card, amount: card.sellingPrice })}
                >
                  {t('appeal.again')}
                </ButtonLink>
              }
            />
          ))}
        </ul>
      </Section>
    </div>
  )
}

const isEmpty = ({ needsYou, underWay, rejected, paid }: SellerHome) =>
  [needsYou, underWay, rejected, paid].every(({ count }) => count === 0)

/** Whether approved payouts wait for the email to be confirmed, and none waits for another account. */
const onlyEmailIsMissing = (home: SellerHome) =>
  home.underWay.cards.some(waitsForEmail) && !home.needsYou.cards.some(({ payout }) => payout?.needsAccount)

/** Whether the tasks have the one primary button of the screen. */
const hasPrimaryTask = (home: SellerHome) =>
  isEmpty(home) || home.needsYou.count > 0 || home.rejected.cards.some(isFixable)

function Lists({ home: { underWay, paid } }: { home: SellerHome }) {
  const t = useWords()
  return (
    <div className="grid grid-cols-1 gap-8 empty:hidden max-lg:order-2">
      <Section
        list={underWay}
        title={t('account.underWay')}
        text={underWay.cards.some(({ status }) => status === 'pending') && t('processing.next.pending')}
      >
        {grouped(underWay.cards, ({ id, saleId }) => saleId ?? id).map((cards) => (
          <Sale key={cards[0]?.id} cards={cards} />
        ))}
      </Section>
      <Section list={paid} title={t('account.paid')}>
        <ul className={listClass}>
          {sayTogetherOnce(paid.cards).map((card) => (
            <Row key={card.id} card={card} text={<PayoutStatus payout={card.payout} />} />
          ))}
        </ul>
      </Section>
    </div>
  )
}

/** One card that needs the seller, or several that need another account. */
function Task({ cards, primary }: { cards: readonly SellerSubmission[]; primary: boolean }) {
  const t = useWords()
  const [card] = cards
  if (!card) return null
  if (cards.length > 1) {
    return (
      <li className="p-4 md:px-5">
        <AccountNeeded cards={cards} primary={primary} />
      </li>
    )
  }
  // A question or an offer comes before the account.
  if (card.status === 'pending') {
    return (
      <Row card={card}>
        <UnpayableAccount cards={cards} primary={primary} />
      </Row>
    )
  }
  return (
    <Row
      card={card}
      text={
        card.status === 'under_review' ? (
          <>
            {card.statusReason}
            <WrittenByTeam card={card} />
          </>
        ) : (
          card.offer && (
            <>
              {statusText(t, card)}
              <Deadline at={card.offer.expiresAt} />
            </>
          )
        )
      }
      action={
        <ButtonLink
          size="sm"
          variant={primary ? 'primary' : 'secondary'}
          to={needsSupport(card) ? askPath(card.id) : pathTo('accountCard', { id: card.id })}
        >
          {t(taskOf(card))}
        </ButtonLink>
      }
    />
  )
}

function taskOf(card: SellerSubmission): Key {
  if (card.offer) return 'account.needsYou.offer'
  if (needsSupport(card)) return 'payoutStatus.contact'
  return card.payout?.needsAccount ? 'account.needsYou.account' : 'account.needsYou.question'
}

/** What can wait: tax details, a review, and rejections that stay. */
function Later({ home: { taxDetailsNeeded, paid, rejected } }: { home: SellerHome }) {
  const t = useWords()
  const final = rejected.cards.filter((card) => !isFixable(card))
  const more = rejected.count - rejected.cards.length
  return (
    <div className="grid grid-cols-1 gap-8 empty:hidden max-lg:order-3">
      {taxDetailsNeeded && <TaxDetailsNotice />}
      <AskForReview cards={paid.cards} />
      <Section
        list={{ cards: final, count: final.length && final.length + more }}
        title={t('account.rejected')}
      >
        <ul className={listClass}>
          {final.map((card) => (
            <Row key={card.id} card={card} text={card.statusReason} />
          ))}
        </ul>
      </Section>
    </div>
  )
}

const listClass = 'divide-y divide-line rounded-lg border border-line bg-surface'

function Section({ list: { count, cards }, title, text, children }: SectionProps) {
  const t = useWords()
  if (count === 0) return null
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="text-xl">{title}</h2>
      {text && <p className="-mt-1 max-w-prose text-pretty text-soft text-sm">{text}</p>}
      {children}
      {count > cards.length && (
        <p className="text-soft text-sm">
          <Link to={paths.transactions} className="underline underline-offset-4">
            {t('account.more', { count: count - cards.length })}
          </Link>
        </p>
      )}
    </section>
  )
}

interface SectionProps {
  list: SellerHome['rejected']
  title: string
  text?: ReactNode
  children: ReactNode
}

/** Cards of one sale, with what they have in common said once. */
function Sale({ cards }: { cards: readonly SellerSubmission[] }) {
  const t = useWords()
  return (
    <div className={listClass}>
      {cards.length > 1 && <h3 className="p-4 font-medium text-base md:px-5">{t('account.sale')}</h3>}
      <ul className="divide-y divide-line">
        {cards.map((card) => (
          <Row
            key={card.id}
            card={card}
            text={
              card.payout && (
                <>
                  <PayoutStatus payout={card.payout} />
                  <Arrival card={card} />
                </>
              )
            }
          >
            <Tracker submission={card} bare />
          </Row>
        ))}
      </ul>
    </div>
  )
}

function Row({ card, text, action, children }: RowProps) {
  const t = useWords()
  const amount = <Money amount={amountOf(card, card.sellingPrice)} />
  return (
    <li className="grid grid-cols-1 gap-3 p-4 md:px-5">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 sm:grid-cols-[auto_minmax(0,1fr)_auto_minmax(5rem,auto)]">
        <div className="row-span-2 self-start">
          <BrandTile name={card.brandName} size="sm" />
        </div>
        <p className="wrap-anywhere font-medium">
          <CardLink card={card} />
        </p>
        <p className="text-right font-semibold sm:col-start-4 sm:row-span-2 sm:row-start-1">
          {isUnpaid(card) ? <s className="font-normal text-soft">{amount}</s> : amount}
          {foundLess(card) && (
            <span className="block font-normal text-soft text-sm">{t('processing.offer.quote')}</span>
          )}
        </p>
        <div className="wrap-anywhere col-span-2 text-pretty text-soft text-sm sm:col-span-1 sm:col-start-2">
          {text ?? statusText(t, card)}
        </div>
        {action && (
          <div className="col-span-3 grid pt-3 sm:col-span-1 sm:col-start-3 sm:row-span-2 sm:row-start-1 sm:pt-0">
            {action}
          </div>
        )}
      </div>
      {children}
    </li>
  )
}

interface RowProps {
  card: SellerSubmission
  /** Shown instead of the text of its status. */
  text?: ReactNode
  action?: ReactNode
  children?: ReactNode
}

const settings = [
  { to: paths.profile, label: 'account.settings.profile' },
  { to: paths.accountSecurity, label: 'account.settings.security' },
  { to: paths.accountNotifications, label: 'account.notifications' },
  { to: paths.accountData, label: 'account.settings.data' },
] as const

function Settings() {
  const t = useWords()
  return (
    <nav aria-labelledby="settings" className="grid gap-3 max-lg:order-4">
      <h2 id="settings" className="text-xl">
        {t('account.settings')}
      </h2>
      <ul className={listClass}>
        {settings.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex min-h-12 items-center justify-between gap-3 px-4 py-2 hover:underline md:px-5"
            >
              {t(label)}
              <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
