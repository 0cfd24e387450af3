import { accountTypes } from '#domain/payment-methods.ts'
import type { FilePayment, FileRequest } from '#server/features/payouts/files/compose.ts'
import type { Random } from '#test/random.ts'
import { testBank } from './bank.ts'

/** A request for a file, made on Monday, November 23, 2026 at 10:15 in New York. */
export function fileRequest(payments: readonly FilePayment[], more: Partial<FileRequest> = {}): FileRequest {
  return {
    batchNumber: 12,
    madeAt: new Date('2026-11-23T15:15:00Z'),
    payments,
    settings: { manual: true, alwaysTwoPersons: false, netReceivables: false, nacha: testBank },
    productName: 'Unspent',
    ...more,
  }
}

export function filePayment(more: Partial<FilePayment> = {}): FilePayment {
  const bank = { routingNumber: '021000021', accountNumber: '0001234567' }
  return {
    position: 1,
    payoutId: '0193b2a4-0000-7000-8000-00002b91ccf8',
    payoutNumber: 41,
    amount: 9300,
    paymentType: 'bank_transfer',
    accountName: 'José Núñez',
    accountInfo: `Routing: ${bank.routingNumber}, Account: ${bank.accountNumber}`,
    accountType: 'checking',
    reference: '2B91-CCF8',
    ...bank,
    ...more,
  }
}

/** Bank transfers with ascending payout numbers. */
export function randomPayments(random: Random, count: number): FilePayment[] {
  let payoutNumber = random.below(9_000_000)
  return Array.from({ length: count }, (_, index) => {
    payoutNumber += random.integer(1, 20)
    return filePayment({
      position: index + 1,
      payoutNumber,
      // Rare amounts have all ten digits.
      amount: random.chance(0.01) ? random.integer(1, 9_999_999_999) : random.integer(1, 200_000),
      accountName: random.pick(names),
      routingNumber: routingNumber(random),
      accountNumber: random.digits(random.integer(4, 17)),
      accountType: random.pick(accountTypes),
      reference: `${random.hex(4)}-${random.hex(4)}`.toUpperCase(),
    })
  })
}

const names = [
  'Ada Lovelace',
  'José Núñez',
  'Søren Ærø-Łukasz',
  'Weiß\tGroß',
  'O’Brien, Siobhán',
  '王伟',
  'A name that is longer than its field can be',
  ' ',
]

function routingNumber(random: Random): string {
  const digits = random.digits(8)
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0),
    0,
  )
  return sum === 0 ? routingNumber(random) : `${digits}${(10 - (sum % 10)) % 10}`
}
