import type { DuplicateReason } from '#contract/staff.ts'
import { once } from '#web/kit/once.ts'

const words: Readonly<Record<DuplicateReason, string>> = {
  card_number: 'Same card',
  photo: 'Similar photo',
  payment_account: 'Same payout account',
}
const list = once(() => new Intl.ListFormat('en-US'))

/** "Same card and similar photo". */
export function duplicateWords(reasons: readonly DuplicateReason[]): string {
  const [first = '', ...others] = reasons.map((reason) => words[reason])
  return list().format([first, ...others.map((other) => other.toLowerCase())])
}
