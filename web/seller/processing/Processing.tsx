import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
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
import { Panel } from '#web/kit/Panel.tsx'
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
import {
  AccountNeeded,
  askedAbove,
  byFailedAccount,
  byUrgency,
  needsSeller,
} from '../payout/AccountNeeded.tsx'
import { PayoutStatus } from '../payout/PayoutStatus.tsx'
import { canCorrect, RejectedActions } from '../RejectedActions.tsx'
import { amountOf, SellerAmount } from '../SellerAmount.tsx'
import { SellerBadge } from '../SellerBadge.tsx'
import { statusLine, statusText, waitsForEmail } from '../status-text.ts'
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
  // Only the newest cards, so that loading more of the list below does not move anything up here.
  const correctable = (all.data?.pages[0]?.rows ?? []).filter(canCorrect)
  const rejectedFirst = !rowsOf(open.data).some(needsSeller)
  const rejected = correctable.length > 0 && (
    // Its key keeps an open dialog when the order changes.
    <Rejected key="rejected" cards={correctable} />
  )
  return (
    <AccountPage title={t('processing.title')} intro={t('processing.intro')}>
      {open.isPending || all.isPending ? (
        <SkeletonRows rows={2} label={t('processing.loading')} />
      ) : open.isLoadingError && all.isLoadingError ? (
        // One message is enough for both.
        <NotLoaded lists={[open, all]} />
      ) : (
        <>
          {rejectedFirst && rejected}
          <OpenSubmissions
            list={open}
            alone={correctable.length === 0}
            onAnswer={(submission) => setAnswering({ submission, open: true })}
          />
          {!rejectedFirst && rejected}
          <AllSubmissions list={all} shownAbove={correctable} />
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
  alone,
  onAnswer,
}: {
  list: List<SellerSubmission>
  /** Whether no rejected cards are shown beside it. */
  alone: boolean
  onAnswer: (submission: SellerSubmission) => void
}) {
  const t = useWords()
  const { user } = useSession()
  const open = byUrgency(rowsOf(list.data))
  const isAskedAbove = askedAbove(open)
  if (list.isError && open.length === 0) return <NotLoaded lists={[list]} />
  if (open.length === 0 && !alone) return <p className="text-soft">{t('processing.empty.else')}</p>
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
          approved={open.some(waitsForEmail) && !open.some(({ payout }) => payout?.needsAccount)}
        />
      )}
      {open.some(({ status }) => status === 'pending') && (
        <p className="text-pretty text-soft text-sm max-lg:max-w-prose">{t('processing.next.pending')}</p>
      )}
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {byFailedAccount(open).map((cards, index) =>
          cards.length > 1 && cards.some(({ payout }) => payout) ? (
            <li key={cards[0]?.id}>
              <Panel>
                <AccountNeeded cards={cards} primary={index === 0} />
              </Panel>
            </li>
          ) : (
            cards.map((submission) => (
              <li key={submission.id}>
                <OpenSubmission
                  submission={submission}
                  isAccountAskedAbove={isAskedAbove.includes(submission)}
                  onAnswer={() => onAnswer(submission)}
                />
              </li>
            ))
          ),
        )}
      </ul>
      <LoadMore list={list} />
    </div>
  )
}

/** Rejected cards that the seller can submit again or appeal for. */
function Rejected({ cards }: { cards: readonly SellerSubmission[] }) {
  const t = useWords()
  return (
    <section aria-labelledby="rejected" className="grid grid-cols-1 gap-4">
      <h2 id="rejected" className="text-xl">
        {t('processing.rejected', { count: cards.length })}
      </h2>
      <ul className={listClass}>
        {cards.map((card) => (
          <Submission key={card.id} submission={card} text={statusText(t, card)}>
            <RejectedActions card={{ ...card, amount: card.sellingPrice }} inList />
          </Submission>
        ))}
      </ul>
    </section>
  )
}

const listClass = 'divide-y divide-line rounded-lg border border-line bg-surface'

interface AllSubmissionsProps {
  list: List<SellerSubmission>
  /** Their actions are there. */
  shownAbove: readonly SellerSubmission[]
}

function AllSubmissions({ list, shownAbove }: AllSubmissionsProps) {
  const t = useWords()
  // The section above says that nothing was submitted yet.
  if (list.isSuccess && rowsOf(list.data).length === 0) return null
  return (
    <section aria-labelledby="all-submissions" className="grid grid-cols-1 gap-4">
      <h2 id="all-submissions" className="text-xl">
        {t('processing.all.title')}
      </h2>
      <Submissions list={list} shownAbove={shownAbove} />
    </section>
  )
}

function Submissions({ list, shownAbove }: AllSubmissionsProps) {
  const submissions = rowsOf(list.data)
  if (submissions.length === 0) return <NotLoaded lists={[list]} />
  return (
    <>
      <ul className={listClass}>
        {submissions.map((submission) => (
          <Submission key={submission.id} submission={submission}>
            {submission.status === 'rejected' && !shownAbove.includes(submission) && (
              <RejectedActions card={{ ...submission, amount: submission.sellingPrice }} inList />
            )}
          </Submission>
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  )
}

/** One line for a card that is shown above. Its reason, payout and history are on its own page. */
function Submission({ submission, text, children }: SubmissionProps) {
  const t = useWords()
  const { status, statusReason } = submission
  return (
    <li className="grid grid-cols-1 gap-3 px-4 py-3 md:px-6">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 sm:gap-x-4 sm:grid-cols-[auto_minmax(0,1fr)_auto_minmax(6rem,auto)]">
        <div className="row-span-2 self-start">
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
            {/* The badge of a paid card says so. */}
            {(text || status !== 'completed' || !submission.payout) && (
              <p>
                {text ?? statusLine(t, submission)}
                {submission.payout && <span className="max-sm:hidden"> ·</span>}
              </p>
            )}
            <PayoutStatus payout={submission.payout} />
            {statusReason && !submission.payout && (
              <p className="w-full whitespace-pre-line">{statusReason}</p>
            )}
          </div>
        )}
      </div>
      {children}
    </li>
  )
}

interface SubmissionProps {
  submission: SellerSubmission
  /** What has happened. By default as in the list of all cards. */
  text?: string
  children?: ReactNode
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
