import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { HistoryEntry, SellerSubmission, Transaction } from '#contract/submissions.ts'
import { maskCardNumber } from '#domain/card-number.ts'
import { MASK } from '#domain/mask.ts'
import { toDecimal } from '#domain/money.ts'
import { statusRules } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { VaultError } from '#server/platform/vault/context.ts'
import type { CardRow, HistoryRow, SellerCardRow, TransactionRow } from './queries.ts'
import { openReason } from './reasons.ts'
import { openSecrets } from './secrets.ts'
import type { StaffCardRow } from './staff-queries.ts'

/** Rows as the wire has them. */

/** What opens the sealed values of a row. */
type Opener = Pick<Context, 'keys' | 'log'>

const cardOf = ({
  brand,
  brandName,
  denomination,
}: Pick<CardRow, 'brand' | 'brandName' | 'denomination'>) => ({
  brand,
  brandName,
  denomination: toDecimal(denomination),
})

/** Where each side reads photos; `/uploads` is the spec's word on the wire. */
const photoPaths = { seller: '/api/user/images', staff: '/uploads' } as const

export function toSellerSubmission(
  { card, photoNames, statusReason }: SellerCardRow,
  opener: Opener,
): SellerSubmission {
  return {
    id: card.id,
    sellerId: card.sellerId,
    ...cardOf(card),
    sellingPrice: toDecimal(card.sellingPrice),
    discountPercentage: toDecimal(card.discountPercentage),
    available: card.available,
    verified: card.verified,
    status: statusRules[card.status].sellerStatus,
    statusReason: openReason(opener, card, card.version, statusReason),
    notes: card.submissionNotes,
    cardNumber: maskCardNumber(card.cardNumberLastFour),
    images: photoNames.map((name) => `${photoPaths.seller}/${name}.jpg`),
    createdAt: card.createdAt.toISOString(),
    updatedAt: card.updatedAt.toISOString(),
  }
}

/** A seller sees their own payout account whole, except for bank numbers. */
export function toTransaction(
  { transaction, card, statusReason }: TransactionRow,
  opener: Opener,
): Transaction {
  return {
    id: transaction.id,
    giftCardId: card.id,
    sellerId: transaction.sellerId,
    buyerId: transaction.buyerId,
    type: 'sell',
    giftCard: cardOf(card),
    amount: toDecimal(transaction.amount),
    paymentType: card.paymentType,
    paymentAccountName: card.paymentAccountName,
    paymentAccountInfo: accountOf(card, opener),
    status: card.status,
    statusReason: openReason(opener, card, card.version, statusReason),
    createdAt: transaction.createdAt.toISOString(),
    updatedAt: card.updatedAt.toISOString(),
  }
}

/** Masked for a bank account, after the erasure, and when it doesn't open: that must not hide the other transactions. */
function accountOf(card: CardRow, { keys, log }: Opener): string {
  if (card.paymentType === 'bank_transfer') return card.paymentAccountHint
  try {
    return openSecrets(keys, card, ['paymentAccountInfo']).paymentAccountInfo ?? card.paymentAccountHint
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, submission: card.id }, 'the payout account of a submission does not open')
    return card.paymentAccountHint
  }
}

export function toStaffSubmission(
  { card, seller, photoNames, statusReason, possibleDuplicate, claimedBy }: StaffCardRow,
  opener: Opener,
): StaffSubmission {
  const paths = photoNames.map((name) => `${photoPaths.staff}/${name}.jpg`)
  const number = maskCardNumber(card.cardNumberLastFour)
  const pin = card.hasSecurityCode ? MASK : null
  const price = toDecimal(card.sellingPrice)
  const reason = openReason(opener, card, card.version, statusReason)
  return {
    id: card.id,
    sellerId: card.sellerId,
    ...cardOf(card),
    sellingPrice: price,
    quote: price,
    discountPercentage: toDecimal(card.discountPercentage),
    images: paths,
    imageUrl: paths,
    cardNumber: number,
    code: number,
    securityCode: pin,
    pin,
    expirationDate: card.expirationDate,
    cardFormat: card.cardFormat,
    cardCondition: card.cardCondition,
    submissionNotes: card.submissionNotes,
    paymentType: card.paymentType,
    paymentAccountName: card.paymentAccountName,
    paymentAccountInfo: card.paymentAccountHint,
    paymentRoutingNumber: card.paymentRoutingHint,
    paymentAccountNumber: card.paymentAccountNumberHint,
    routingNumberSuspect: card.routingNumberSuspect,
    available: card.available,
    verified: card.verified,
    status: card.status,
    statusReason: reason,
    rejectionReason: card.status === 'rejected' ? reason : null,
    version: card.version,
    answered: card.answered,
    possibleDuplicate,
    unlistedBrand: card.unlistedBrand,
    claimedBy: claimedBy && {
      ...claimedBy,
      since: new Date(claimedBy.since).toISOString(),
      until: new Date(claimedBy.until).toISOString(),
    },
    secretsErasedAt: card.secretsErasedAt,
    createdAt: card.createdAt,
    updatedAt: card.updatedAt,
    user: seller,
  }
}

/** Staff see who by name and the stored words; sellers see the sides and their own words. */
export function toHistoryEntry(
  { entry, name, card, photoNames }: HistoryRow,
  reader: 'staff' | 'seller',
  opener: Opener,
): HistoryEntry {
  const reason = openReason(opener, card, entry.version, entry.sealedReason)
  const word = (status: CardRow['status']) => (reader === 'staff' ? status : statusRules[status].sellerStatus)
  return {
    from: entry.fromStatus && word(entry.fromStatus),
    to: word(entry.toStatus),
    at: entry.at.toISOString(),
    by: reader === 'staff' ? (name ?? entry.byKind) : entry.byKind,
    ...(reason !== null && { reason }),
    ...(photoNames.length > 0 && { images: photoNames.map((name) => `${photoPaths[reader]}/${name}.jpg`) }),
  }
}
