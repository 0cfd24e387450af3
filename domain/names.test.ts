import { expect, it } from 'vitest'
import { namesAgree } from './names.ts'

it.each([
  ['Sally Seller', 'Sally Seller'],
  ['SELLER, SALLY', 'Sally Seller'],
  ['sallyseller', 'Sally Seller'],
  ['S. Seller', 'Sally Seller'],
  ['Sally S', 'Sally Seller'],
  ['Sally Ann Seller', 'Sally Seller'],
  ['Mr. John Q. Smith Jr.', 'John Smith'],
  ['Jose Garcia', 'José García López'],
  ['Jürgen Müller', 'Juergen Mueller'],
  ['Soren Norgaard', 'Søren Nørgaard'],
  ['Ana Delacruz', 'Ana de la Cruz'],
  ["Conan O'Brien", 'conan obrien'],
  ['Anne-Marie Dupont', 'Anne Marie Dupont'],
  ['王 小明', '小明 王'],
])('%j and %j can be one person', (one, other) => {
  expect(namesAgree(one, other)).toBe(true)
  expect(namesAgree(other, one)).toBe(true)
})

it.each([
  ['Sally Buyer', 'Sally Seller'],
  ['Sally', 'Sally Seller'],
  ['Seller', 'Sally Seller'],
  ['S. S.', 'Sally Seller'],
  ['Sam Seller', 'Sally Seller'],
  ['Gift Card Traders LLC', 'Sally Seller'],
  ['Sally Seller', 'Sally Ann Smith'],
  ['12345', 'Sally Seller'],
  ['', ''],
])('%j and %j cannot', (one, other) => {
  expect(namesAgree(one, other)).toBe(false)
  expect(namesAgree(other, one)).toBe(false)
})
