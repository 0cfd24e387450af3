import { expect, test } from 'vitest'
import { reasonCategories } from '#domain/reasons.ts'
import { findReasons } from './ReasonPicker.tsx'

const codes = (typed: string) => findReasons(typed).flatMap(({ reasons }) => reasons.map(({ code }) => code))

test('nothing typed shows every reason by category', () => {
  expect(findReasons('  ')).toEqual(reasonCategories)
})

test('the beginning of any word finds a reason', () => {
  expect(codes('blu')).toEqual(['image_blurry'])
  expect(codes('LURRY')).toEqual([])
})

test('every word has to be found, the category counts', () => {
  expect(codes('dark photo')).toContain('image_dark')
  expect(codes('image dark')).toEqual(['image_dark'])
  expect(codes('dark expired')).toEqual([])
})

test('a category without a match is left out', () => {
  expect(findReasons('expired').map(({ name }) => name)).toEqual(['Card Validity Issues'])
})
