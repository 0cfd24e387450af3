import { toDecimal } from '#domain/money.ts'
import { shortReferenceOf } from '#domain/reference.ts'
import { exactCsvLine } from '#server/http/csv.ts'
import type { FilePayment, FileRequest } from './request.ts'

/**
 * A payment file for PayPal's Payouts Web, which pays PayPal and Venmo accounts: recipient, amount, currency, our id (at most
 * 30 characters, no spaces), note (required for Venmo), wallet. It has no header and at most 5,000 rows.
 * Source: https://developer.paypal.com/payouts/use-payouts/send-money/use-web-ui
 */
export function paypalFile({ payments, productName }: FileRequest): string {
  return payments
    .map((payment) =>
      exactCsvLine([
        recipientOf(payment),
        toDecimal(payment.amount),
        'USD',
        paypalIdOf(payment.payoutNumber),
        noteOf(payment, productName),
        payment.paymentType === 'venmo' ? 'VENMO' : 'PAYPAL',
      ]),
    )
    .join('')
}

/** The same payments for PayPal's API. */
export function providerRequest(
  { payments, productName }: FileRequest,
  { provider, batchId }: NonNullable<FileRequest['sentBy']>,
): string {
  return provider.writeBatch({
    id: batchId,
    subject: productName,
    payments: payments.map((payment) => ({
      id: paypalIdOf(payment.payoutNumber),
      amount: payment.amount,
      wallet: payment.paymentType === 'venmo' ? 'venmo' : 'paypal',
      receiver: recipientOf(payment),
      note: noteOf(payment, productName),
    })),
  })
}

/** Has no words, because sellers of every language read it. */
const noteOf = ({ payoutId }: FilePayment, productName: string): string =>
  `${productName} ${shortReferenceOf(payoutId)}`

/** Our id of a payment in PayPal's files, reports and answers. */
export const paypalIdOf = (payoutNumber: number): string => `payout-${payoutNumber}`

/**
 * An email address or a handle, unchanged. Phone numbers are written as in PayPal's sample, without the country code.
 * Source: https://developer.paypal.com/api/payouts/v5/standard/
 */
function recipientOf({ accountInfo }: FilePayment): string {
  const account = accountInfo
    .normalize('NFKC')
    .replace(/\p{Pd}/gu, '-')
    .trim()
  const [, area, exchange, line] = PHONE.exec(account.replace(/[ ()./+-]/g, '')) ?? []
  return area ? `${area}-${exchange}-${line}` : account
}

const PHONE = /^1?(\d{3})(\d{3})(\d{4})$/
