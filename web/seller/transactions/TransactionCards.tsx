import type { Transaction } from '#contract/submissions.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { Money } from '#web/kit/Money.tsx'
import { unbroken } from '#web/kit/masked.ts'
import { StatusBadge } from '#web/kit/StatusBadge.tsx'
import { Time } from '#web/kit/Time.tsx'
import { SellerAmount } from '../SellerAmount.tsx'
import { paymentLabel, transactionWords } from './transaction-words.ts'

/** On phones, where a table doesn't fit. */
export function TransactionCards({ transactions }: { transactions: readonly Transaction[] }) {
  return (
    <ul
      aria-label="Your transactions, newest first"
      className="grid grid-cols-1 gap-3 md:grid-cols-2 lg:hidden"
    >
      {transactions.map((transaction) => (
        <li
          key={transaction.id}
          className="grid grid-cols-1 content-start gap-3 rounded-lg border border-line bg-surface p-4"
        >
          <Card transaction={transaction} />
        </li>
      ))}
    </ul>
  )
}

function Card({ transaction }: { transaction: Transaction }) {
  const { giftCard } = transaction
  const words = transactionWords(transaction)
  return (
    <>
      <div className="flex items-center gap-3">
        <BrandTile name={giftCard.brandName} />
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere font-medium">{giftCard.brandName}</p>
          <Money amount={giftCard.denomination} className="text-soft text-sm" />
        </div>
        <SellerAmount amount={transaction.amount} status={transaction.status} className="text-right" />
      </div>
      <div className="flex items-center justify-between gap-3">
        <StatusBadge status={transaction.status}>{words.label}</StatusBadge>
        <span className="text-soft text-sm">
          <Time at={transaction.createdAt} />
        </span>
      </div>
      <p className="text-sm">{words.text}</p>
      {transaction.statusReason && (
        <p className="wrap-anywhere text-soft text-sm">{transaction.statusReason}</p>
      )}
      <div className="wrap-anywhere border-line border-t pt-3 text-soft text-sm">
        <p>
          {paymentLabel(transaction.paymentType)} · {transaction.paymentAccountName}
        </p>
        <p className="figures">{unbroken(transaction.paymentAccountInfo)}</p>
      </div>
    </>
  )
}
