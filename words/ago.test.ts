import { expect, it } from 'vitest'
import { ago, until } from './ago.ts'
import { readWords } from './catalogs.ts'

const { en, es } = readWords({ product: 'Unspent' })

it.each([
  [-500, 'just now', 'hace un momento'],
  [0, 'just now', 'hace un momento'],
  [9999, 'just now', 'hace un momento'],
  [10_000, '10 seconds ago', 'hace 10 segundos'],
  [12_900, '12 seconds ago', 'hace 12 segundos'],
  [60_000, '1 minute ago', 'hace 1 minuto'],
  [3_599_999, '59 minutes ago', 'hace 59 minutos'],
  [7_200_000, '2 hours ago', 'hace 2 horas'],
  [86_400_000, '1 day ago', 'hace 1 día'],
  [30 * 86_400_000, '30 days ago', 'hace 30 días'],
])('says %d milliseconds as "%s" and "%s"', (milliseconds, english, spanish) =>
  expect([ago(en, milliseconds), ago(es, milliseconds)]).toEqual([english, spanish]),
)

it.each([
  [2.7 * 86_400_000, 'in 2 days'],
  [3 * 86_400_000 - 5_000, 'in 3 days'],
  [1.9 * 86_400_000, 'in 45 hours'],
  [119_000, 'in 1 minute'],
])('rounds %d milliseconds down to "%s"', (milliseconds, text) => expect(until(en, milliseconds)).toBe(text))
