import { expect, test } from 'vitest'
import { readWords } from '#words/catalogs.ts'
import { rejectionText, sharesOfPhotos } from './use-photos.ts'

const { en, es } = readWords({ product: 'Unspent' })
const limits = { max: 10, maxBytes: 10 * 1024 * 1024 }
const nothing = { notImages: 0, damaged: 0, overLimit: 0, tooLarge: [] }

test('says nothing if every file was added', () => {
  expect(rejectionText(en, nothing, limits)).toBeUndefined()
})

test('counts photos over the limit in one sentence', () => {
  expect(rejectionText(en, { ...nothing, overLimit: 30 }, limits)).toBe(
    'No more than 10 photos can be added. 30 more were left out.',
  )
})

test('names the first few of many photos that are too large', () => {
  const tooLarge = Array.from({ length: 30 }, (_, index) => `${index}.jpg`)
  expect(rejectionText(en, { ...nothing, tooLarge }, limits)).toBe(
    'Larger than 10 MB and not added: 0.jpg, 1.jpg, 2.jpg and 27 more.',
  )
})

test('has a sentence for each reason', () => {
  const text = rejectionText(
    en,
    { ...nothing, notImages: 2, damaged: 1, known: true, overLimit: 1, tooLarge: ['a.jpg'] },
    limits,
  )
  expect(text).toBe(
    'Only images can be added. Choose a JPEG, PNG, WebP or HEIC file. We could not open this photo. Please choose or take another one. Photos that are already here were not added again. Larger than 10 MB and not added: a.jpg. ' +
      'No more than 10 photos can be added. One more was left out.',
  )
})

test('counts in Spanish', () => {
  const tooLarge = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']
  expect(rejectionText(es, { ...nothing, overLimit: 1, tooLarge }, limits)).toBe(
    'No se agregaron porque pesan más de 10 MB: a.jpg, b.jpg, c.jpg y 1 más. ' +
      'Se pueden agregar 10 fotos como máximo. Quedó una fuera.',
  )
})

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
