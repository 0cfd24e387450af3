import { expect, it } from 'vitest'
import { timeTicks, written } from './report-formats.ts'
import { viewOf } from './report-views.ts'

const labels = {
  range: { from: '2026-03-01', to: '2026-03-02', by: 'day' },
  brand: (slug: string) => slug.toUpperCase(),
  paymentType: (type: string) => type,
} as const

it('shows the numbers of a chart in its table too', () => {
  const paid = (paymentType: string, amount: string) => ({
    period: '2026-03-02',
    paymentType,
    payouts: 2,
    amount,
  })
  const view = viewOf('paid_out', [paid('paypal', '0.10'), paid('venmo', '0.20')], labels)
  expect(view?.points.map(({ values }) => values)).toEqual([[0], [0.3]])
  expect(view?.table.rows).toEqual([
    ['Mar 1, 2026', '0', '$0.00', '$0.00', '$0.00'],
    ['Mar 2, 2026', '4', '$0.30', '$0.20', '$0.10'],
  ])
  expect(view?.summary).toBe('4 payouts, $0.30 in all.')
})

it('has nothing to show of zeros, but of a rate of zero', () => {
  const period = '2026-03-01'
  expect(viewOf('volume', [{ period, submissions: 0, faceValue: '0.00', quoted: '0.00' }], labels)).toBe(
    undefined,
  )
  expect(viewOf('approval_rate', [{ period, approved: 0, rejected: 0, rate: null }], labels)).toBe(undefined)
  expect(viewOf('approval_rate', [{ period, approved: 0, rejected: 2, rate: '0.00' }], labels)?.summary).toBe(
    '0 of 2 decisions approved the card (0%). The chart leaves out days with fewer than 5 decisions; the table has them.',
  )
})

it('leaves rates of too few decisions out of the chart, but not out of the table', () => {
  const view = viewOf(
    'approval_rate',
    [
      { period: '2026-03-01', approved: 1, rejected: 0, rate: '100.00' },
      { period: '2026-03-02', approved: 4, rejected: 1, rate: '80.00' },
    ],
    labels,
  )
  expect(view?.points.map(({ values }) => values)).toEqual([[null], [80]])
  expect(view?.table.rows.map(([, , , rate]) => rate)).toEqual(['100%', '80%'])
})

it.each([
  [45, '45 sec'],
  [90, '1.5 min'],
  [7200, '2 h'],
  [200_000, '2.3 days'],
])('writes %d seconds as %s', (seconds, text) => expect(written(seconds, 'seconds')).toBe(text))

it('puts ticks at times that people count in', () => {
  expect(timeTicks(3 * 3600)).toEqual([0, 3600, 7200, 10_800])
  expect(timeTicks(400_000).map((tick) => written(tick, 'seconds'))).toEqual([
    '0 sec',
    '1 day',
    '2 days',
    '3 days',
    '4 days',
    '5 days',
  ])
})
