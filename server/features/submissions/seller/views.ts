import type { SellerSubmission, Transaction } from '#contract/submissions.ts'
import { maskCardNumber } from '#domain/card-number.ts'
import { toDecimal } from '#domain/money.ts'
import { statusRules } from '#domain/submission.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { photoPaths } from '../photos.ts'
import type { CardRow } from '../queries.ts'
import { openReason, type SealingContext } from '../reasons.ts'
import { openSecrets } from '../secrets.ts'
import type { SellerCardRow, TransactionRow } from './queries.ts'

export function toSellerSubmission(
  { card, photoNames, statusReason }: SellerCardRow,
  context: SealingContext,
): SellerSubmission {
  return {
    id: card.id,
    sellerId: card.sellerId,
    brand: card.brand,
    brandName: card.brandName,
    denomination: toDecimal(card.denomination),
    sellingPrice: toDecimal(card.sellingPrice),
    discountPercentage: toDecimal(card.discountPercentage),
    available: card.available,
    verified: card.verified,
    status: statusRules[card.status].sellerStatus,
    statusReason: openReason(context, card, card.version, statusReason),
    notes: card.submissionNotes,
    cardNumber: maskCardNumber(card.cardNumberLastFour),
    images: photoPaths(photoNames, 'seller'),
    createdAt: card.createdAt.toISOString(),
    updatedAt: card.updatedAt.toISOString(),
  }
}

/** Sellers see their payout account unmasked, except for bank account numbers. */
export function toTransaction(
  { transaction, card, statusReason }: TransactionRow,
  context: SealingContext,
): Transaction {
  return {
    id: transaction.id,
    giftCardId: card.id,
    sellerId: transaction.sellerId,
    buyerId: transaction.buyerId,
    type: 'sell',
    giftCard: {
      brand: card.brand,
      brandName: card.brandName,
      denomination: toDecimal(card.denomination),
    },
    amount: toDecimal(transaction.amount),
    paymentType: card.paymentType,
    paymentAccountName: card.paymentAccountName,
    paymentAccountInfo: accountOf(card, context),
    status: card.status,
    statusReason: openReason(context, card, card.version, statusReason),
    createdAt: transaction.createdAt.toISOString(),
    updatedAt: card.updatedAt.toISOString(),
  }
}

/** Masked for bank accounts, after erasure, and when it cannot be opened, so that one bad row does not hide the others. */
function accountOf(card: CardRow, { keys, log }: SealingContext): string {
  if (card.paymentType === 'bank_transfer') return card.paymentAccountHint
  try {
    return openSecrets(keys, card, ['paymentAccountInfo']).paymentAccountInfo ?? card.paymentAccountHint
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, submission: card.id }, 'cannot open the payout account of a submission')
    return card.paymentAccountHint
  }
}
