import { beforeAll, expect, test } from 'vitest'
import { reasonCategoriesFor } from '#domain/reasons.ts'
import type { MoveName } from '#domain/submission.ts'
import { loadWords } from '#web/words/words.ts'
import { findReasons } from './ReasonPicker.tsx'

const codes = (typed: string, move: MoveName = 'reject') =>
  findReasons(move, typed).flatMap(({ items }) => items.map(({ code }) => code))

beforeAll(() => loadWords('staff'))

test.each(['reject', 'fail', 'ask'] as const)(
  'finds every text to %s for an empty text, and no others',
  (move) => {
    expect(codes('  ', move)).toEqual(reasonCategoriesFor(move).flatMap(({ reasons }) => reasons))
  },
)

test('finds a reason by the start of any word', () => {
  expect(codes('blu')).toEqual(['image_blurry'])
  expect(codes('LURRY')).toEqual([])
})

test('requires every word, in the reason or its category', () => {
  expect(codes('dark photo')).toContain('image_dark')
  expect(codes('image dark')).toEqual(['image_dark'])
  expect(codes('dark expired')).toEqual([])
})

test('leaves out categories without a match', () => {
  expect(findReasons('reject', 'expired').map(({ value }) => value)).toEqual(['Card Validity Issues'])
})

test('offers the reasons about one brand only for its cards', () => {
  const forBrand = (brand: string) =>
    findReasons('reject', '', brand).flatMap(({ items }) => items.map(({ code }) => code))
  expect(forBrand('cvs')).toContain('type_cvs_in_store')
  expect(forBrand('cvs')).not.toContain('type_ebay_partial')
  expect(forBrand('amazon')).not.toContain('type_cvs_in_store')
  expect(forBrand('amazon')).toContain('type_not_us')
})
