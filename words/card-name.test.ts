import { expect, it } from 'vitest'
import { cardNameIn } from './card-name.ts'
import { readWords } from './catalogs.ts'

const { en, es } = readWords({ product: 'Unspent' })

it.each([
  ['Amazon', 'Amazon card', 'tarjeta de Amazon'],
  ['Visa Gift Card', 'Visa Gift Card', 'tarjeta Visa Gift Card'],
  ['The Home Depot', 'Home Depot card', 'tarjeta de The Home Depot'],
])('names a card of %s', (brand, english, spanish) =>
  expect([cardNameIn(en, brand), cardNameIn(es, brand)]).toEqual([english, spanish]),
)
