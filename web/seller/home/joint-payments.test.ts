import { expect, it } from 'vitest'
import { sayTogetherOnce } from './joint-payments.ts'

const paid = (reference: string, together: { others: number; amount: string } | null) => ({
  payout: { reference, together, sentAt: '2026-11-28T10:00:00.000Z' },
})

it('keeps the line about a joint payment at its first card only', () => {
  const joint = { others: 1, amount: '186.00' }
  const cards = [paid('755A', joint), paid('755A', joint), paid('81C0', joint), paid('9D21', null)]
  expect(sayTogetherOnce(cards).map(({ payout }) => payout.together)).toEqual([joint, null, joint, null])
})
