import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { Earnings, Transaction } from '#contract/submissions.ts'
import { CardArt } from '#web/cards/CardArt.tsx'
import { ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { Skeleton, SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { readPages, rowsOf } from '#web/wire/pages.ts'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { AccountPage } from '../AccountPage.tsx'
import { type List, LoadMore } from '../LoadMore.tsx'
import { TransactionList } from './TransactionList.tsx'

export default function Transactions() {
  const t = useWords()
  const earnings = useQuery(read(routes.myEarnings, {}))
  const list = useInfiniteQuery(readPages(routes.myTransactions))
  const retry = () => {
    void list.refetch()
    if (earnings.isError) void earnings.refetch()
  }
  return (
    <AccountPage title={t('transactions.title')}>
      <Summary earnings={earnings.data} failed={earnings.isError} />
      <History list={list} onRetry={retry} />
    </AccountPage>
  )
}

function History({ list, onRetry }: HistoryProps) {
  const t = useWords()
  const transactions = rowsOf(list.data)
  if (list.isPending) return <SkeletonRows rows={4} label={t('transactions.loading')} />
  if (list.isError && transactions.length === 0) {
    const message = messageOf(list.error, t('transactions.failed'))
    return <Failure message={message} onRetry={onRetry} />
  }
  if (transactions.length === 0) return <NoTransactions />
  return (
    <div className="grid grid-cols-1 gap-6">
      <TransactionList transactions={transactions} />
      <LoadMore list={list} />
    </div>
  )
}

interface HistoryProps {
  list: List<Transaction>
  onRetry: () => void
}

function NoTransactions() {
  const t = useWords()
  return (
    <EmptyState
      icon={<CardArt scene="empty" />}
      title={t('transactions.empty.title')}
      action={<ButtonLink to={paths.getQuote}>{t('transactions.empty.action')}</ButtonLink>}
    >
      {t('transactions.empty.text')}
    </EmptyState>
  )
}

function Summary({ earnings, failed }: { earnings: Earnings | undefined; failed: boolean }) {
  const t = useWords()
  return (
    <dl className="flex flex-wrap items-start gap-x-8 gap-y-5 rounded-lg border border-line bg-surface p-5 md:grid md:grid-cols-[2fr_1fr_1fr] md:p-7">
      <div className="@container grid w-full grid-cols-1 gap-1">
        <dt className="text-soft">{t('transactions.totalEarned')}</dt>
        <dd>
          {earnings ? (
            <Money amount={earnings.totalEarned} size="figure" />
          ) : (
            <div className="font-semibold text-2xl">
              <Missing failed={failed} className="h-14 w-48" />
            </div>
          )}
        </dd>
      </div>
      <Count name={t('transactions.total')} count={earnings?.totalTransactions} failed={failed} />
      <Count
        name={t('transactions.pending')}
        count={earnings?.pendingCount}
        hint={t('transactions.pending.hint', { count: earnings?.pendingCount ?? 0 })}
        failed={failed}
      />
    </dl>
  )
}

function Count({ name, count, hint, failed }: CountProps) {
  return (
    <div className="grid gap-1">
      <dt className="text-soft">{name}</dt>
      <dd className="figures font-semibold text-2xl">
        {count ?? <Missing failed={failed} className="h-8 w-12" />}
        {hint && <span className="block text-pretty font-normal text-soft text-sm"> {hint}</span>}
      </dd>
    </div>
  )
}

interface CountProps {
  name: string
  count: number | undefined
  /** What is counted, if the name does not say it. */
  hint?: string
  failed: boolean
}

/** Loading or failed. The list below says why and offers to try again. */
function Missing({ failed, className }: { failed: boolean; className: string }) {
  const t = useWords()
  if (!failed) return <Skeleton className={className} />
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">{t('transactions.notAvailable')}</span>
    </>
  )
}
