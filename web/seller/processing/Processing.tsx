import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { inDollars } from '#domain/money.ts'
import { isFinal } from '#domain/submission.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { CardArt } from '#web/cards/CardArt.tsx'
import { ButtonLink } from '#web/kit/Button.tsx'
import { Dotted } from '#web/kit/Dotted.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { readPages, rowsOf } from '#web/wire/pages.ts'
import { useSession } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { AccountPage } from '../AccountPage.tsx'
import { ConfirmEmailNotice } from '../ConfirmEmailNotice.tsx'
import { AnswerDialog } from '../card/AnswerDialog.tsx'
import { CardLink } from '../card/CardLink.tsx'
import { type List, LoadMore } from '../LoadMore.tsx'
import { PayoutStatus } from '../payout/PayoutStatus.tsx'
import { RejectedActions } from '../RejectedActions.tsx'
import { amountOf, SellerAmount } from '../SellerAmount.tsx'
import { SellerBadge } from '../SellerBadge.tsx'
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
    <AccountPage title={t('processing.title')} intro={t('processing.intro')}>
      {open.isLoadingError && all.isLoadingError ? (
        // One message is enough for both.
        <NotLoaded lists={[open, all]} />
      ) : (
        <>
          <OpenSubmissions list={open} onAnswer={(submission) => setAnswering({ submission, open: true })} />
          {/* Hidden while the first list loads, so that nothing jumps. */}
          {!open.isPending && <AllSubmissions list={all} />}
        </>
      )}
      {answering && (
        <AnswerDialog
          submission={answered ?? answering.submission}
          open={answering.open}
          onClose={() => setAnswering({ ...answering, open: false })}
        />
      )}
    </AccountPage>
  )
}

/** Submissions that are not final yet, first those that wait for the seller. */
function OpenSubmissions({
  list,
  onAnswer,
}: {
  list: List<SellerSubmission>
  onAnswer: (submission: SellerSubmission) => void
}) {
  const t = useWords()
  const { user } = useSession()
  const open = [...rowsOf(list.data)].sort((a, b) => Number(needsSeller(b)) - Number(needsSeller(a)))
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
      {user?.mustConfirmEmail && (
        <ConfirmEmailNotice
          user={user}
          primary={!open.some(needsSeller)}
          approved={open.some(({ status }) => status === 'approved')}
        />
      )}
      {open.some(({ status }) => status === 'pending') && (
        <p className="text-pretty text-soft text-sm max-lg:max-w-prose">{t('processing.next.pending')}</p>
      )}
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
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

const needsSeller = ({ status, offer, payout }: SellerSubmission) =>
  status === 'under_review' || offer !== null || payout?.needsAccount === true

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

/** One line for a card that is shown above. Its reason, payout and history are on its own page. */
function Submission({ submission }: { submission: SellerSubmission }) {
  const t = useWords()
  const { status, statusReason } = submission
  return (
    <li className="grid grid-cols-1 gap-3 px-4 py-3 md:px-6">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 sm:gap-x-4 sm:grid-cols-[auto_minmax(0,1fr)_auto_minmax(6rem,auto)]">
        <div className="row-span-2">
          <BrandTile name={submission.brandName} size="sm" />
        </div>
        <p className="wrap-anywhere font-medium">
          <CardLink card={submission} />
        </p>
        <SellerAmount
          amount={amountOf(submission, submission.sellingPrice)}
          card={submission}
          className="text-right sm:col-start-4 sm:row-span-2 sm:row-start-1"
        />
        <p className="figures text-soft text-sm max-sm:col-span-2 sm:col-start-2">
          <Dotted>
            <Time at={submission.createdAt} />
            {t('processing.value', { amount: inDollars(submission.denomination) })}
          </Dotted>
        </p>
        <div className="pt-2 max-sm:-col-end-1 max-sm:col-start-2 sm:col-start-3 sm:row-span-2 sm:row-start-1 sm:pt-0">
          <SellerBadge card={submission} />
        </div>
        {isFinal(status) && (
          <div className="wrap-anywhere -col-end-1 col-start-2 flex flex-wrap gap-x-1 pt-1 text-soft text-sm">
            <p>
              {statusText(t, submission)}
              {submission.payout && <span className="max-sm:hidden"> ·</span>}
            </p>
            <PayoutStatus payout={submission.payout} />
            {statusReason && <p className="w-full whitespace-pre-line">{statusReason}</p>}
          </div>
        )}
      </div>
      {status === 'rejected' && (
        <RejectedActions card={{ ...submission, amount: submission.sellingPrice }} inList />
      )}
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
