import { describe, expect, it } from 'vitest'
import { type Debit, type SentBatch, suggestDebits } from './bank-statement.ts'

const debit = (day: string, amount: number, text = 'ACH PAYOUT', isFee = false): Debit => ({
  day,
  amount,
  text,
  isFee,
})
const batch = (id: string, total: number, sentOn = '2026-11-20'): SentBatch => ({ id, total, sentOn })
const kinds = (debits: readonly Debit[], batches: readonly SentBatch[]) =>
  suggestDebits(debits, batches).map(({ kind, batchIds }) => `${kind} ${batchIds.join('')}`)

describe('a batch', () => {
  it.each([
    ['on the day of the export', '2026-11-20', 'batch a'],
    ['ten days later', '2026-11-30', 'batch a'],
    ['eleven days later', '2026-12-01', 'null '],
    ['the day before', '2026-11-19', 'null '],
  ])('is suggested for its total: %s', (_, day, expected) => {
    expect(kinds([debit(day, 9300)], [batch('a', 9300)])).toEqual([expected])
  })

  it('is not suggested for another amount, not even one cent away', () => {
    expect(kinds([debit('2026-11-21', 9301), debit('2026-11-21', 9299)], [batch('a', 9300)])).toEqual([
      'null ',
      'null ',
    ])
  })

  it('is left to a person if two have the total, or two lines', () => {
    expect(kinds([debit('2026-11-21', 9300)], [batch('a', 9300), batch('b', 9300)])).toEqual(['choose ab'])
    expect(kinds([debit('2026-11-21', 9300), debit('2026-11-22', 9300)], [batch('a', 9300)])).toEqual([
      'choose a',
      'choose a',
    ])
    const late = batch('b', 9300, '2026-11-22')
    expect(kinds([debit('2026-11-21', 9300), debit('2026-11-23', 9300)], [batch('a', 9300), late])).toEqual([
      'choose a',
      'choose ab',
    ])
  })

  it('of no payouts is never suggested', () => {
    expect(kinds([debit('2026-11-21', 1)], [batch('a', 0)])).toEqual(['null '])
  })
})

it.each([
  ['MONTHLY SERVICE CHARGE', 1500, false, 'fee '],
  ['ACH ORIGINATION FEE', 995, false, 'fee '],
  ['Wire Fees', 50_000, false, 'fee '],
  ['LEGAL FEES', 50_001, false, 'null '],
  ['COFFEE SUPPLIES', 1500, false, 'null '],
  ['CHARGEBACK 991', 1500, false, 'null '],
  ['NSF', 3500, true, 'fee '],
])('suggests a fee: %s %i', (text, amount, isFee, expected) => {
  expect(kinds([debit('2026-11-21', amount, text, isFee)], [])).toEqual([expected])
})

it('leaves a line with the word fee and the total of a batch to a person', () => {
  expect(kinds([debit('2026-11-21', 1500, 'ACH FEE')], [batch('a', 1500)])).toEqual(['choose a'])
})
