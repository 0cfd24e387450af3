import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { routes } from '#contract/routes.ts'
import type { Transaction } from '#contract/submissions.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { read, readPages, rowsOf } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { type List, LoadMore } from '../LoadMore.tsx'
import { SellerNav } from '../SellerNav.tsx'
import { Summary } from './Summary.tsx'
import { TransactionCards } from './TransactionCards.tsx'
import { TransactionTable } from './TransactionTable.tsx'

export default function Transactions() {
  const earnings = useQuery(read(routes.myEarnings, {}))
  const list = useInfiniteQuery(readPages(routes.myTransactions))
  const retry = () => {
    void list.refetch()
    if (earnings.isError) void earnings.refetch()
  }
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>Transaction History</PageTitle>
      <PageHeader title="Transaction History" />
      <SellerNav />
      <Summary earnings={earnings.data} failed={earnings.isError} />
      <History list={list} onRetry={retry} />
    </div>
  )
}

interface HistoryProps {
  list: List<Transaction>
  onRetry: () => void
}

function History({ list, onRetry }: HistoryProps) {
  const transactions = rowsOf(list.data)
  if (list.isPending) return <SkeletonRows rows={4} label="Loading your transactions" />
  if (list.isError && transactions.length === 0) {
    const message = messageOf(list.error, 'Your transactions could not be loaded.')
    return <Failure message={message} onRetry={onRetry} />
  }
  if (transactions.length === 0) return <NoTransactions />
  return (
    <div className="grid grid-cols-1 gap-6">
      <TransactionTable transactions={transactions} />
      <TransactionCards transactions={transactions} />
      <LoadMore list={list} />
    </div>
  )
}

function NoTransactions() {
  return (
    <EmptyState
      icon={<ReceiptText aria-hidden="true" />}
      title="No transactions yet"
      action={<ButtonLink to={paths.getQuote}>Get Quote Now</ButtonLink>}
    >
      Sell your first card and follow it here, from review to payout.
    </EmptyState>
  )
}
