import { expect, test } from 'vitest'
import { complain, noComplaints } from './complaints.ts'

const limits = { max: 10, maxBytes: 10 * 1024 * 1024 }

test('nothing to complain about is nothing to say', () => {
  expect(complain(noComplaints(), limits)).toBeUndefined()
})

test('thirty photos too many are one sentence', () => {
  expect(complain({ ...noComplaints(), full: 30 }, limits)).toBe(
    'No more than 10 photos can be added. 30 more were left out.',
  )
})

test('of many large photos a few are named', () => {
  const tooLarge = Array.from({ length: 30 }, (_, index) => `${index}.jpg`)
  expect(complain({ ...noComplaints(), tooLarge }, limits)).toBe(
    'Larger than 10 MB and not added: 0.jpg, 1.jpg, 2.jpg and 27 more.',
  )
})

test('each reason has its sentence', () => {
  const text = complain({ notImages: 2, full: 1, tooLarge: ['a.jpg'] }, limits)
  expect(text).toBe(
    'Only images can be added. Larger than 10 MB and not added: a.jpg. ' +
      'No more than 10 photos can be added. One more was left out.',
  )
})
