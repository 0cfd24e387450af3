import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { inDollars } from '#domain/money.ts'
import { referenceOf } from '#domain/reference.ts'
import { isFinal } from '#domain/submission.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { CardArt } from '#web/cards/CardArt.tsx'
import { cardFacts } from '#web/cards/card-facts.ts'
import { cardTitle } from '#web/cards/text.ts'
import { Button, ButtonLink, TextLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Logo } from '#web/kit/Logo.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Masked } from '#web/kit/masked.tsx'
import { Failure, Notice } from '#web/kit/Notice.tsx'
import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { paths, pathTo } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { AccountPage } from '../AccountPage.tsx'
import { accountText } from '../account-text.ts'
import { ConfirmEmailNotice } from '../ConfirmEmailNotice.tsx'
import { useDueDay } from '../payout/expected-day.ts'
import { PaidTo } from '../payout/PaidTo.tsx'
import { PayoutStatus } from '../payout/PayoutStatus.tsx'
import { RejectedActions } from '../RejectedActions.tsx'
import { AskForReview } from '../review/AskForReview.tsx'
import { SellerBadge } from '../SellerBadge.tsx'
import { isAppealOpen, needsSupport, waitsForEmail } from '../status-text.ts'
import { AnswerDialog } from './AnswerDialog.tsx'
import { askPath, CardDigits } from './CardLink.tsx'
import { CardState, Price } from './CardState.tsx'
import { Photos } from './Photos.tsx'
import { Timeline } from './Timeline.tsx'
import { Tracker } from './Tracker.tsx'
import './print.css'

/** Everything about one of the seller's cards. */
export default function CardPage() {
  const [address] = useSearchParams()
  const id = address.get('id')
  return id ? <CardWithId id={id} /> : <NoSuchCard />
}

function CardWithId({ id }: { id: string }) {
  const t = useWords()
  const card = useQuery(read(routes.mySubmission, { params: { id } }))
  if (card.data) return <Card submission={card.data} />
  if (card.error instanceof ApiError && card.error.status < 429) return <NoSuchCard />
  return (
    <AccountPage title={t('account.card')}>
      {card.isPending ? (
        <SkeletonRows rows={3} label={t('account.card.loading')} />
      ) : (
        <Failure
          message={messageOf(card.error, t('account.card.failed'))}
          onRetry={() => void card.refetch()}
        />
      )}
    </AccountPage>
  )
}

function NoSuchCard() {
  const t = useWords()
  return (
    <AccountPage title={t('account.card.missing')} header={null}>
      <EmptyState
        icon={<CardArt scene="notFound" />}
        title={<h1>{t('account.card.missing')}</h1>}
        action={<ButtonLink to={paths.account}>{t('account.card.home')}</ButtonLink>}
      >
        {t('account.card.missingText')}
      </EmptyState>
    </AccountPage>
  )
}

function Card({ submission }: { submission: SellerSubmission }) {
  const [answering, setAnswering] = useState(false)
  const t = useWords()
  const { user } = useSession()
  const { id, brandName, status } = submission
  const isPaid = status === 'completed'
  const isLate = useDueDay(submission)?.isOver === true
  // What the seller has to do comes first.
  const isAsked =
    status === 'under_review' ||
    submission.payout?.needsAccount ||
    needsSupport(submission) ||
    submission.offer !== null
  const leads = isAsked || isAppealOpen(submission)
  const confirmEmail = user?.mustConfirmEmail && !isFinal(status) && (
    <ConfirmEmailNotice user={user} approved={waitsForEmail(submission)} quiet={Boolean(isAsked)} />
  )
  const account = (
    <Ledger
      className={cx(
        'border-line text-sm empty:hidden print:hidden',
        // One line on phones, so that the buttons below it are on the first screen.
        isAsked ? 'sm:border-y max-sm:*:flex-row max-sm:*:flex-wrap max-sm:*:py-0' : 'border-y',
      )}
    >
      <PaidTo card={submission} />
    </Ledger>
  )
  const state = (
    <CardState submission={submission} onAnswer={() => setAnswering(true)} account={isAsked && account} />
  )
  return (
    <AccountPage title={cardTitle(brandName)} header={<Header submission={submission} />}>
      {!isAsked && confirmEmail}
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-10">
        <Panel className="grid grid-cols-1 content-start gap-5 print:border-0 print:p-0">
          {isLate && (
            <Notice
              tone="caution"
              action={
                <ButtonLink size="sm" variant="secondary" to={askPath(id)} className="max-sm:w-full">
                  {t('account.card.ask')}
                </ButtonLink>
              }
            >
              {t('payoutStatus.late', { amount: inDollars(submission.payout?.amount ?? '0') })}
            </Notice>
          )}
          {isPaid && <Paid payout={submission.payout} />}
          {leads && state}
          <Tracker submission={submission} />
          <Price submission={submission} size="card" />
          {!isAsked && account}
          {!leads && state}
          {status === 'rejected' && (
            <RejectedActions card={{ ...submission, amount: submission.sellingPrice }} />
          )}
          {status === 'cancelled' && (
            <p className="grid sm:block print:hidden">
              <ButtonLink
                size="sm"
                variant="secondary"
                to={pathTo('sellCard', {
                  brand: submission.brand,
                  value: submission.denomination,
                  quote: submission.sellingPrice,
                })}
              >
                {t('account.card.sellAgain')}
              </ButtonLink>
            </p>
          )}
          {submission.resubmissionOf && (
            <p className="text-sm print:hidden">
              {t('appeal.sentBefore')}{' '}
              <TextLink to={pathTo('accountCard', { id: submission.resubmissionOf })}>
                {t('appeal.sentBefore.link')}
              </TextLink>
            </p>
          )}
          {!isLate && (
            <p className="print:hidden">
              <TextLink to={askPath(id)}>{t('account.card.ask')}</TextLink>
            </p>
          )}
          {isPaid && submission.payout && <Receipt submission={submission} />}
        </Panel>
        <div className="grid gap-8 print:hidden">
          {isAsked && confirmEmail}
          <AskForReview cards={[submission]} />
          <Photos photos={submission.images} />
          <Ledger className="border-line border-y text-sm">
            <LedgerRow name={t('confirmation.reference')}>
              <span className="figures">{referenceOf(id)}</span>
            </LedgerRow>
            {cardFacts(t, submission).map(({ name, value }) => (
              <LedgerRow key={name} name={name}>
                {value}
              </LedgerRow>
            ))}
          </Ledger>
          <section aria-labelledby="history" className="grid gap-4">
            <h2 id="history" className="text-xl">
              {t('processing.history')}
            </h2>
            <Timeline submission={submission} />
          </section>
        </div>
      </div>
      <AnswerDialog submission={submission} open={answering} onClose={() => setAnswering(false)} />
    </AccountPage>
  )
}

function Header({ submission }: { submission: SellerSubmission }) {
  const t = useWords()
  const { brandName, cardNumber, createdAt } = submission
  return (
    <header className="grid gap-6">
      <p className="-my-4 text-sm print:hidden">
        <TextLink to={paths.transactions} className="inline-flex min-h-11 items-center gap-1.5">
          <ArrowLeft aria-hidden="true" className="size-4" />
          {t('seller.nav.transactions')}
        </TextLink>
      </p>
      <div className="hidden print:block">
        <Logo />
      </div>
      <div className="grid gap-3">
        <div className="flex items-center gap-4">
          <BrandTile name={brandName} />
          <h1 className="wrap-anywhere min-w-0 text-3xl">{cardTitle(brandName)}</h1>
        </div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-soft">
          <SellerBadge card={submission} />
          <CardDigits number={cardNumber} />
          <span>
            <Rich id="processing.submitted" tags={{ date: () => <Time at={createdAt} /> }} />
          </span>
        </p>
      </div>
    </header>
  )
}

/** A quiet celebration. */
function Paid({ payout }: Pick<SellerSubmission, 'payout'>) {
  const t = useWords()
  return (
    <div className="flex items-center gap-5 print:hidden">
      <CardArt scene="paid" className="h-20 w-auto shrink-0 max-sm:h-14" />
      <div className="grid gap-1">
        <p className="text-balance font-bold text-xl">{t('account.card.paid')}</p>
        <PayoutStatus payout={payout} />
      </div>
    </div>
  )
}

/** The receipt, to keep or to print. */
function Receipt({ submission }: { submission: SellerSubmission }) {
  const t = useWords()
  const { user } = useSession()
  const { id, brandName, denomination, payout } = submission
  if (!payout) return null
  const day = payout.paidAt ?? payout.sentAt
  return (
    <section aria-labelledby="receipt" className="grid gap-3 border-line border-t pt-5">
      <div className="flex items-center justify-between gap-4">
        <h2 id="receipt" className="text-lg">
          {t('account.receipt')}
        </h2>
        <Button variant="secondary" size="sm" onClick={() => window.print()} className="print:hidden">
          {t('account.receipt.print')}
        </Button>
      </div>
      <Ledger className="border-line border-y text-sm">
        <LedgerRow name={t('account.receipt.card')}>
          {brandName}, <Money amount={denomination} />
        </LedgerRow>
        <LedgerRow name={t('account.receipt.amount')}>
          <Money amount={payout.amount} />
        </LedgerRow>
        {Number(payout.deducted) > 0 && (
          <LedgerRow name={t('account.receipt.deducted')}>
            <Money amount={payout.deducted} />
          </LedgerRow>
        )}
        <LedgerRow name={t('account.receipt.to')}>
          {user?.firstName} {user?.lastName}
        </LedgerRow>
        <LedgerRow name={t('account.receipt.method')}>{t(`payments.type.${payout.paymentType}`)}</LedgerRow>
        <LedgerRow long name={t('account.receipt.account')}>
          <Masked text={accountText(t, payout.account)} />
        </LedgerRow>
        {day && (
          <LedgerRow name={t('account.receipt.date')}>
            <Time at={day} />
          </LedgerRow>
        )}
        <LedgerRow
          name={
            payout.isConfirmed
              ? t('account.receipt.confirmation', { method: t(`payments.type.${payout.paymentType}`) })
              : t('account.receipt.reference')
          }
        >
          {payout.reference}
        </LedgerRow>
        <LedgerRow name={t('confirmation.reference')}>{referenceOf(id)}</LedgerRow>
      </Ledger>
    </section>
  )
}
