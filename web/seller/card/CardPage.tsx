import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { CardArt } from '#web/cards/CardArt.tsx'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { cardName } from '#web/cards/text.ts'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { RejectedActions } from '../RejectedActions.tsx'
import { SellerNav } from '../SellerNav.tsx'
import { AnswerDialog } from './AnswerDialog.tsx'
import { CardState } from './CardState.tsx'
import { Photos } from './Photos.tsx'
import { Timeline } from './Timeline.tsx'
import { Tracker } from './Tracker.tsx'

/** Everything about one of the seller's cards. */
export default function CardPage() {
  const [address] = useSearchParams()
  const id = address.get('id')
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      {id ? <CardWithId id={id} /> : <NoSuchCard />}
    </div>
  )
}

function CardWithId({ id }: { id: string }) {
  const t = useWords()
  const card = useQuery(read(routes.mySubmission, { params: { id } }))
  if (card.isPending) return <SkeletonRows rows={3} label={t('account.card.loading')} />
  if (card.data) return <Card submission={card.data} />
  if (card.error instanceof ApiError && card.error.status < 429) return <NoSuchCard />
  return (
    <Failure message={messageOf(card.error, t('account.card.failed'))} onRetry={() => void card.refetch()} />
  )
}

function NoSuchCard() {
  const t = useWords()
  return (
    <>
      <PageTitle>{t('account.card.missing')}</PageTitle>
      <EmptyState
        icon={<CardArt scene="notFound" />}
        title={<h1>{t('account.card.missing')}</h1>}
        action={<ButtonLink to={paths.account}>{t('account.card.home')}</ButtonLink>}
      >
        {t('account.card.missingText')}
      </EmptyState>
    </>
  )
}

function Card({ submission }: { submission: SellerSubmission }) {
  const [answering, setAnswering] = useState(false)
  const t = useWords()
  const { brandName, status } = submission
  return (
    <>
      <PageTitle>{cardName(brandName)}</PageTitle>
      <header className="flex flex-wrap items-center gap-4">
        <BrandTile name={brandName} />
        <div className="wrap-anywhere min-w-48 flex-1">
          <h1 className="text-3xl">{cardName(brandName)}</h1>
          <p className="text-soft">
            <Rich id="processing.submitted" tags={{ date: () => <Time at={submission.createdAt} /> }} />
          </p>
        </div>
        <StatusBadge status={status} />
      </header>
      <SellerNav />
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:gap-10">
        <Panel className="grid grid-cols-1 content-start gap-5">
          {status === 'completed' && <Paid />}
          <Tracker submission={submission} />
          <CardState submission={submission} onAnswer={() => setAnswering(true)} size="card" />
          {status === 'rejected' && (
            <RejectedActions card={{ ...submission, amount: submission.sellingPrice }} />
          )}
          {status === 'completed' && submission.payout && <Receipt submission={submission} />}
        </Panel>
        <div className="grid gap-8 print:hidden">
          <Photos photos={submission.images} />
          <section aria-labelledby="history" className="grid gap-4">
            <h2 id="history" className="text-xl">
              {t('processing.history')}
            </h2>
            <Timeline submission={submission} />
          </section>
        </div>
      </div>
      <AnswerDialog submission={submission} open={answering} onClose={() => setAnswering(false)} />
    </>
  )
}

/** A quiet celebration. */
function Paid() {
  const t = useWords()
  return (
    <div className="flex items-center gap-5">
      <CardArt scene="paid" className="h-20 w-auto shrink-0" />
      <p className="text-balance font-bold text-xl">{t('account.card.paid')}</p>
    </div>
  )
}

/** What was paid, to keep or to print. */
function Receipt({ submission }: { submission: SellerSubmission }) {
  const t = useWords()
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
        <LedgerRow name={t('account.receipt.method')}>{t(`payments.type.${payout.paymentType}`)}</LedgerRow>
        {day && (
          <LedgerRow name={t('account.receipt.date')}>
            <Time at={day} />
          </LedgerRow>
        )}
        <LedgerRow name={t('account.receipt.reference')}>{payout.reference}</LedgerRow>
        <LedgerRow long name={t('account.receipt.submission')}>
          <span className="break-all font-mono">{id}</span>
        </LedgerRow>
      </Ledger>
    </section>
  )
}
