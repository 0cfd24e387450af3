import type { SellerPayout, Transaction } from '#contract/submissions.ts'
import { inDollars } from '#domain/money.ts'
import { type PaymentType, paymentTypes } from '#domain/payment-methods.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Dotted } from '#web/kit/Dotted.tsx'
import { Masked } from '#web/kit/masked.tsx'
import { Time } from '#web/kit/Time.tsx'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import type { Translate } from '#words/translate.ts'
import { accountText } from '../account-text.ts'
import { CardLink } from '../card/CardLink.tsx'
import { Arrival } from '../payout/Arrival.tsx'
import { PayoutFacts, PayoutStatusWithForm } from '../payout/PayoutStatus.tsx'
import { RejectedActions } from '../RejectedActions.tsx'
import { amountOf, SellerAmount } from '../SellerAmount.tsx'
import { SellerBadge } from '../SellerBadge.tsx'
import { statusLine } from '../status-text.ts'

interface TransactionsProps {
  transactions: readonly Transaction[]
}

/** A table on wide screens, cards on phones. */
export function TransactionList({ transactions }: TransactionsProps) {
  return (
    <>
      <TransactionTable transactions={transactions} />
      <TransactionCards transactions={transactions} />
    </>
  )
}

const columns = ['date', 'card', 'amount', 'method', 'status'] as const
const cell = 'px-4 py-4 align-top'

function TransactionTable({ transactions }: TransactionsProps) {
  const t = useWords()
  return (
    <div className="hidden overflow-x-auto rounded-lg border border-line bg-surface lg:block">
      <table className="w-full border-collapse">
        <caption className="sr-only">{t('transactions.list')}</caption>
        <thead className="border-line border-b">
          <tr>
            {columns.map((name) => (
              <th
                key={name}
                scope="col"
                className={cx(
                  'px-4 py-3 font-medium text-soft text-sm',
                  name === 'amount' ? 'text-right' : 'text-left',
                )}
              >
                {t(`transactions.column.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {transactions.map((transaction) => (
            <Row key={transaction.id} transaction={transaction} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ transaction }: { transaction: Transaction }) {
  const { giftCard } = transaction
  const t = useWords()
  return (
    <tr>
      <td className={`${cell} text-soft`}>
        <Time at={transaction.createdAt} />
      </td>
      <td className={cell}>
        <div className="flex items-center gap-3">
          <BrandTile name={giftCard.brandName} size="sm" />
          <div className="wrap-anywhere min-w-28 max-w-52">
            <p className="font-medium">
              <CardLink card={{ ...giftCard, id: transaction.giftCardId }} />
            </p>
            <CardValue amount={giftCard.denomination} />
          </div>
        </div>
      </td>
      <td className={`${cell} text-right`}>
        <SellerAmount amount={amountOf(transaction, transaction.amount)} card={transaction} />
      </td>
      <td className={`${cell} wrap-anywhere min-w-56`}>
        <p>
          <Dotted>
            <span className="font-medium">{paymentLabel(transaction.paymentType, t)}</span>
            <span className="text-soft text-sm">{transaction.paymentAccountName}</span>
          </Dotted>
        </p>
        <p className="figures text-soft text-sm">
          <Masked text={accountText(t, transaction.account)} />
        </p>
      </td>
      <td className={`${cell} wrap-anywhere min-w-56 max-w-80`}>
        <SellerBadge card={transaction} />
        <div className="mt-2">
          <StatusText transaction={transaction} />
        </div>
        {hasOwnReason(transaction) && <p className="mt-1 text-soft text-sm">{transaction.statusReason}</p>}
        <Details transaction={transaction} />
      </td>
    </tr>
  )
}

function TransactionCards({ transactions }: TransactionsProps) {
  const t = useWords()
  return (
    <ul aria-label={t('transactions.list')} className="grid grid-cols-1 gap-3 md:grid-cols-2 lg:hidden">
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
  const t = useWords()
  return (
    <>
      <div className="flex items-center gap-3">
        <BrandTile name={giftCard.brandName} />
        <div className="min-w-0 flex-1">
          {/* The digits get their own line, so that all brands look alike. */}
          <p className="wrap-anywhere font-medium *:[span]:block">
            <CardLink card={{ ...giftCard, id: transaction.giftCardId }} />
          </p>
          <CardValue amount={giftCard.denomination} />
        </div>
        <SellerAmount
          amount={amountOf(transaction, transaction.amount)}
          card={transaction}
          className="text-right"
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <SellerBadge card={transaction} />
        <span className="text-soft text-sm">
          <Time at={transaction.createdAt} />
        </span>
      </div>
      <div className="wrap-anywhere grid gap-1">
        <StatusText transaction={transaction} />
        {hasOwnReason(transaction) && <p className="text-soft text-sm">{transaction.statusReason}</p>}
        <Details transaction={transaction} />
      </div>
      <div className="wrap-anywhere border-line border-t pt-3 text-soft text-sm">
        <p>
          <Dotted>
            {paymentLabel(transaction.paymentType, t)}
            {transaction.paymentAccountName}
          </Dotted>
        </p>
        <p className="figures">
          <Masked text={accountText(t, transaction.account)} />
        </p>
      </div>
    </>
  )
}

function CardValue({ amount }: { amount: string }) {
  const t = useWords()
  return <p className="text-soft text-sm">{t('processing.value', { amount: inDollars(amount) })}</p>
}

/** The form for another account says the reason itself. */
const hasOwnReason = ({ statusReason, payout }: Transaction) => statusReason && !payout?.needsAccount

/** What has happened. The badge of a paid card says so, so that only how it was paid is left. */
function StatusText({ transaction }: { transaction: Transaction }) {
  const t = useWords()
  const text = statusLine(t, { ...transaction, sellingPrice: transaction.amount })
  const { payout } = transaction
  return <p className="text-sm">{payout && isPaidInFull(payout) ? <PayoutFacts payout={payout} /> : text}</p>
}

/** Where the payout is, or what the seller can do about a new offer, a question or a rejection. */
function Details({ transaction }: { transaction: Transaction }) {
  const { giftCard, giftCardId: id, amount, status, offer, payout } = transaction
  const t = useWords()
  if (offer || status === 'under_review') {
    return (
      <p className="mt-2">
        <ButtonLink size="sm" variant="secondary" to={pathTo('accountCard', { id })}>
          {t(offer ? 'transactions.offer' : 'transactions.question')}
        </ButtonLink>
      </p>
    )
  }
  if (payout && !isPaidInFull(payout)) {
    // The status says that it is due.
    const isSaid = payout.state === 'due' && !payout.waitsUntil && !payout.needsAccount
    return (
      <div className="mt-1 grid gap-1 empty:hidden">
        {(!isSaid || Number(payout.deducted) > 0) && (
          <PayoutStatusWithForm card={{ ...giftCard, id, payout }} brief />
        )}
        <Arrival card={{ id, status, payout }} />
      </div>
    )
  }
  if (status !== 'rejected') return null
  return (
    <div className="mt-2">
      <RejectedActions card={{ ...transaction, ...giftCard, id, amount }} inList />
    </div>
  )
}

const isPaidInFull = ({ state, deducted }: SellerPayout) => state === 'paid' && Number(deducted) === 0

/** The type itself if it is newer than this client. */
function paymentLabel(type: string, t: Translate): string {
  return (paymentTypes as readonly string[]).includes(type) ? t(`payments.type.${type as PaymentType}`) : type
}
