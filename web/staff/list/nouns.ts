/** What staff count, and its plural. */
const plurals = {
  batch: 'batches',
  brand: 'brands',
  card: 'cards',
  delivery: 'deliveries',
  conversation: 'conversations',
  credit: 'credits',
  debit: 'debits',
  entry: 'entries',
  fee: 'fees',
  'legal hold': 'legal holds',
  line: 'lines',
  member: 'members',
  payment: 'payments',
  payout: 'payouts',
  policy: 'policies',
  return: 'returns',
  review: 'reviews',
  submission: 'submissions',
  token: 'tokens',
  transaction: 'transactions',
  user: 'users',
  webhook: 'webhooks',
} as const

export type Noun = keyof typeof plurals

export function plural(noun: Noun): string {
  return plurals[noun]
}

/** 1 -> "1 payout", 1200 -> "1,200 payouts". */
export function counted(count: number, noun: Noun): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plurals[noun]}`
}
