import type { SubmissionFields } from '#contract/submissions.ts'
import { comparedNumber, lastFour, normalizeCardNumber } from '#domain/card-number.ts'
import {
  accountIdentity,
  type BankAccount,
  bankAccountInfo,
  isRoutingNumber,
  maskAccountInfo,
  maskedBankAccountInfo,
  maskNumber,
  paymentTypes,
} from '#domain/payment-methods.ts'
import { accountIndex } from '#server/features/books/dead-accounts.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { blindIndex, newDataKey, openRow, seal, unwrapKey, wrapKey } from '#server/platform/vault/seal.ts'

const TABLE = 'gift_cards'

const sealedColumns = {
  cardNumber: 'card_number',
  securityCode: 'security_code',
  paymentAccountInfo: 'payment_account_info',
  paymentRoutingNumber: 'payment_routing_number',
  paymentAccountNumber: 'payment_account_number',
} as const
type SecretField = keyof typeof sealedColumns

export const dataKeyContext = (row: string) => ({ table: TABLE, column: 'data_key', row })
const secretContext = (field: SecretField, row: string) => ({
  table: TABLE,
  column: sealedColumns[field],
  row,
})
export const reasonContext = (row: string, version: number) => ({
  table: 'status_history',
  column: 'sealed_reason',
  row: `${row}:${version}`,
})
export const acknowledgementContext = (row: string) => ({
  table: 'risk_acknowledgements',
  column: 'sealed_reason',
  row,
})
export const balanceNoteContext = (row: string) => ({ table: 'balance_checks', column: 'sealed_note', row })
export const correctionContext = (row: string) => ({
  table: 'payout_results',
  column: 'sealed_correction',
  row,
})
export const photoContext = (column: 'image' | 'thumbnail', row: string) => ({ table: 'photos', column, row })

type SecretFields = Pick<SubmissionFields, SecretField> & AccountFields

/** The columns of a submission's secrets: sealed, with masked values to show and blind indexes to search. */
export function sealSecrets(keys: KeyRing, dataKey: Buffer, id: string, fields: SecretFields) {
  const sealed = sealWith(dataKey, id)
  return {
    cardNumber: sealed('cardNumber', fields.cardNumber),
    ...indexNumber(keys, fields),
    securityCode: sealed('securityCode', fields.securityCode),
    ...sealAccount(keys, sealed, fields),
  }
}

/** Seals number and PIN with a new data key. Everything else that the old key sealed can no longer be opened. */
export function resealCodes(
  keys: KeyRing,
  card: SealedRow & Readonly<Record<'cardNumber' | 'securityCode', Buffer | null>>,
) {
  const opened = openSecrets(keys, card, ['cardNumber', 'securityCode'])
  const dataKey = newDataKey()
  try {
    const sealed = sealWith(dataKey, card.id)
    return {
      dataKey: wrapKey(keys, dataKey, dataKeyContext(card.id)),
      cardNumber: sealed('cardNumber', opened.cardNumber),
      securityCode: sealed('securityCode', opened.securityCode),
    }
  } finally {
    dataKey.fill(0)
  }
}

type AccountFields = Pick<SubmissionFields, 'paymentType'> &
  Partial<
    Pick<
      SubmissionFields,
      'paymentAccountInfo' | 'paymentRoutingNumber' | 'paymentAccountNumber' | 'paymentAccountType'
    >
  >

/** The columns of another payout account, sealed under the data key that the submission has. */
export function sealPayoutAccount(
  keys: KeyRing,
  { id, dataKey: wrapped }: { id: string; dataKey: Buffer },
  fields: AccountFields,
) {
  const dataKey = unwrapKey(keys, wrapped, dataKeyContext(id))
  try {
    return sealAccount(keys, sealWith(dataKey, id), fields)
  } finally {
    dataKey.fill(0)
  }
}

/** Seals the fields of one submission. Null for one that was not given. */
function sealWith(dataKey: Buffer, id: string) {
  return (field: SecretField, value: string | undefined): Buffer | null =>
    value === undefined ? null : seal(dataKey, value, secretContext(field, id))
}

function sealAccount(keys: KeyRing, sealed: ReturnType<typeof sealWith>, fields: AccountFields) {
  const bank = bankAccountOf(fields)
  const info = accountInfoOf(fields)
  return {
    paymentAccountInfo: sealed('paymentAccountInfo', info),
    paymentAccountType: (bank && fields.paymentAccountType) || 'checking',
    paymentAccountIndex: accountIndex(keys, fields.paymentType, info),
    paymentAccountHint: bank ? maskedBankAccountInfo(bank) : maskAccountInfo(info),
    paymentRoutingNumber: sealed('paymentRoutingNumber', bank?.routingNumber),
    paymentRoutingHint: bank ? maskNumber(bank.routingNumber) : null,
    paymentAccountNumber: sealed('paymentAccountNumber', bank?.accountNumber),
    paymentAccountNumberHint: bank ? maskNumber(bank.accountNumber) : null,
    routingNumberSuspect: bank !== undefined && !isRoutingNumber(bank.routingNumber),
  }
}

function bankAccountOf(fields: AccountFields): BankAccount | undefined {
  const { paymentType, paymentRoutingNumber: routing, paymentAccountNumber: account } = fields
  if (paymentType !== 'bank_transfer' || !routing || !account) return undefined
  return { routingNumber: routing, accountNumber: account }
}

/** The account as one text, which the server composes for a bank transfer. */
export function accountInfoOf(fields: AccountFields): string {
  const bank = bankAccountOf(fields)
  return bank ? bankAccountInfo(bank) : (fields.paymentAccountInfo ?? '')
}

/** What finds a card by its number: the blind index, and the last four digits. */
export function indexNumber(
  keys: KeyRing,
  { cardNumber, securityCode }: Pick<SecretFields, 'cardNumber' | 'securityCode'>,
) {
  const compared = comparedNumber(cardNumber, securityCode)
  return {
    cardNumberIndex: compared === null ? null : cardNumberIndex(keys, compared),
    cardNumberLastFour: lastFour(cardNumber),
  }
}

/** The blind indexes of every account that a text may be. A bank account is its routing number and its account number. */
export function accountIndexes(keys: KeyRing, text: string): Buffer[] {
  const [, routingNumber, accountNumber] = /^\D*(\d{9})\D+(\d[\d -]{2,25})$/.exec(text) ?? []
  const info = routingNumber && accountNumber ? bankAccountInfo({ routingNumber, accountNumber }) : text
  const identities = new Set(paymentTypes.map((type) => accountIdentity(type, info)))
  return [...identities].flatMap((identity) =>
    identity === undefined ? [] : blindIndex(keys, 'payment_account', identity),
  )
}

/** The blind index of a card number: equal for equal numbers. */
export function cardNumberIndex(keys: KeyRing, number: string): Buffer {
  return blindIndex(keys, 'card_number', normalizeCardNumber(number))
}

/** A row with its wrapped key, which is null once the secrets are erased. */
export interface SealedRow {
  readonly id: string
  readonly dataKey: Buffer | null
}

/** Opens secrets of one row. Omits those that were not given or are erased. */
export function openSecrets<F extends SecretField>(
  keys: KeyRing,
  row: SealedRow & Readonly<Record<F, Buffer | null>>,
  fields: readonly F[],
): Partial<Record<F, string>> {
  if (!row.dataKey) return {}
  const columns = Object.fromEntries(
    fields.map((field) => [sealedColumns[field], row[field] as Buffer | null]),
  )
  const opened = openRow<string>(keys, { table: TABLE, row: row.id }, row.dataKey, columns)
  const given: Partial<Record<F, string>> = {}
  for (const field of fields) given[field] = opened[sealedColumns[field]] ?? undefined
  return given
}
