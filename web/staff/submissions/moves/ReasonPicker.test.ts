import { beforeAll, expect, test } from 'vitest'
import { reasonCodes } from '#domain/reasons.ts'
import { loadWords } from '#web/words/words.ts'
import { findReasons } from './ReasonPicker.tsx'

const codes = (typed: string) => findReasons(typed).flatMap(({ items }) => items.map(({ code }) => code))

beforeAll(() => loadWords(['reasons']))

test('finds every reason for an empty text', () => {
  expect(codes('  ')).toEqual(reasonCodes)
})

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
  expect(findReasons('expired').map(({ value }) => value)).toEqual(['Card Validity Issues'])
})
