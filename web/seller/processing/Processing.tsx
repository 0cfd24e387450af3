import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { inDollars } from '#domain/money.ts'
import { isFinal } from '#domain/submission.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { CardArt } from '#web/cards/CardArt.tsx'
import { StatusBadge } from '#web/cards/StatusBadge.tsx'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { readPages, rowsOf } from '#web/wire/pages.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { AnswerDialog } from '../card/AnswerDialog.tsx'
import { CardLink } from '../card/CardLink.tsx'
import { Timeline } from '../card/Timeline.tsx'
import { type List, LoadMore } from '../LoadMore.tsx'
import { PayoutStatus } from '../payout/PayoutStatus.tsx'
import { RejectedActions } from '../RejectedActions.tsx'
import { SellerAmount } from '../SellerAmount.tsx'
import { SellerNav } from '../SellerNav.tsx'
import { statusText } from '../status-text.ts'
import { OpenSubmission } from './OpenSubmission.tsx'

export default function Processing() {
  const t = useWords()
  const open = useInfiniteQuery(readPages(routes.mySubmissions, { open: 'true' }))
  const all = useInfiniteQuery(readPages(routes.mySubmissions))
  // Kept here because a card leaves the list when it is rejected while the seller is answering.
  const [answering, setAnswering] = useState<{ submission: SellerSubmission; open: boolean }>()
  const answered = [...rowsOf(open.data), ...rowsOf(all.data)].find(
    ({ id }) => id === answering?.submission.id,
  )
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>{t('processing.title')}</PageTitle>
      <PageHeader title={t('processing.title')}>{t('processing.intro')}</PageHeader>
      <SellerNav />
      {open.isLoadingError && all.isLoadingError ? (
        // One message is enough for both.
        <NotLoaded lists={[open, all]} />
      ) : (
        <>
          <OpenSubmissions list={open} onAnswer={(submission) => setAnswering({ submission, open: true })} />
          <AllSubmissions list={all} />
        </>
      )}
      {answering && (
        <AnswerDialog
          submission={answered ?? answering.submission}
          open={answering.open}
          onClose={() => setAnswering({ ...answering, open: false })}
        />
      )}
    </div>
  )
}

/** Submissions that are not final yet. */
function OpenSubmissions({
  list,
  onAnswer,
}: {
  list: List<SellerSubmission>
  onAnswer: (submission: SellerSubmission) => void
}) {
  const t = useWords()
  const open = rowsOf(list.data)
  if (list.isPending) return <SkeletonRows rows={2} label={t('processing.loading')} />
  if (list.isError && open.length === 0) return <NotLoaded lists={[list]} />
  if (open.length === 0) {
    return (
      <EmptyState
        icon={<CardArt scene="empty" />}
        title={t('processing.empty.title')}
        action={<ButtonLink to={paths.getQuote}>{t('processing.empty.action')}</ButtonLink>}
      >
        {t('processing.empty.text')}
      </EmptyState>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul className="grid grid-cols-1 gap-4 md:grid-cols-2">
        {open.map((submission) => (
          <li key={submission.id}>
            <OpenSubmission submission={submission} onAnswer={() => onAnswer(submission)} />
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </div>
  )
}

function AllSubmissions({ list }: { list: List<SellerSubmission> }) {
  const t = useWords()
  // The section above says that nothing was submitted yet.
  if (list.isSuccess && rowsOf(list.data).length === 0) return null
  return (
    <section aria-labelledby="all-submissions" className="grid grid-cols-1 gap-4">
      <h2 id="all-submissions" className="text-xl">
        {t('processing.all.title')}
      </h2>
      <Submissions list={list} />
    </section>
  )
}

function Submissions({ list }: { list: List<SellerSubmission> }) {
  const t = useWords()
  const submissions = rowsOf(list.data)
  if (list.isPending) return <SkeletonRows rows={3} label={t('processing.all.loading')} />
  if (submissions.length === 0) return <NotLoaded lists={[list]} />
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {submissions.map((submission) => (
          <Submission key={submission.id} submission={submission} />
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  )
}

function Submission({ submission }: { submission: SellerSubmission }) {
  const [history, setHistory] = useState(false)
  const t = useWords()
  // Our question or the reason for the final status. The seller's own answer is not repeated.
  const showReason =
    submission.statusReason &&
    (isFinal(submission.status) || submission.status === 'under_review' || submission.status === 'offered')
  return (
    <li className="grid grid-cols-1 gap-2 p-4 pb-3 md:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <BrandTile name={submission.brandName} size="sm" />
        <div className="min-w-40 flex-1">
          <p className="font-medium">
            <CardLink card={submission} />
          </p>
          <p className="figures text-soft text-sm">
            <Time at={submission.createdAt} /> ·{' '}
            <span className="whitespace-nowrap">
              {t('processing.value', { amount: inDollars(submission.denomination) })}
            </span>
          </p>
        </div>
        <StatusBadge status={submission.status} />
        <SellerAmount
          amount={submission.sellingPrice}
          status={submission.status}
          className="ml-auto min-w-24 text-right"
        />
      </div>
      <div className="flex items-center justify-between gap-4">
        <div className="wrap-anywhere min-w-0 text-sm">
          <p className="font-medium">{statusText(t, submission)}</p>
          {showReason && <p className="whitespace-pre-line text-soft">{submission.statusReason}</p>}
          <PayoutStatus payout={submission.payout} />
        </div>
        <Button
          variant="quiet"
          size="sm"
          aria-expanded={history}
          onClick={() => setHistory(!history)}
          className="-mr-3"
        >
          {t('processing.history')}
        </Button>
      </div>
      {submission.status === 'rejected' && (
        <RejectedActions card={{ ...submission, amount: submission.sellingPrice }} />
      )}
      {history && <Timeline submission={submission} />}
    </li>
  )
}

function NotLoaded({ lists }: { lists: readonly List<SellerSubmission>[] }) {
  const t = useWords()
  return (
    <Failure
      message={messageOf(lists[0]?.error, t('processing.failed'))}
      onRetry={() => {
        for (const list of lists) void list.refetch()
      }}
    />
  )
}
