import { expect, test } from 'vitest'
import { sharesOfPhotos } from './shares.ts'

test('fills one photo after the other', () => {
  expect(sharesOfPhotos([100, 300], 0)).toEqual([0, 0])
  expect(sharesOfPhotos([100, 300], 0.125)).toEqual([0.5, 0])
  expect(sharesOfPhotos([100, 300], 0.25)).toEqual([1, 0])
  expect(sharesOfPhotos([100, 300], 0.625)).toEqual([1, 0.5])
  expect(sharesOfPhotos([100, 300], 1)).toEqual([1, 1])
})

test('is empty without photos', () => {
  expect(sharesOfPhotos([], 0.5)).toEqual([])
})
