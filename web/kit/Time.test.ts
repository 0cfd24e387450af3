import { expect, it } from 'vitest'
import { readWords } from '#words/catalogs.ts'
import { clockIn, timeText } from './Time.tsx'

const { en, es } = readWords({ product: 'Unspent' })

it.each([
  ['2026-11-23T18:05:00Z', '1:05 PM', 'la 1:05 p.m.'],
  ['2026-11-23T06:00:00Z', '1 AM', 'la 1 a.m.'],
  ['2026-11-23T16:05:00Z', '11:05 AM', 'las 11:05 a.m.'],
  ['2026-11-23T17:00:00Z', '12 PM', 'las 12 p.m.'],
])('says %s with the article of its hour', (time, english, spanish) => {
  const clocks = [en, es].map((t) => clockIn(t, new Date(time), 'America/New_York').replaceAll(/\s/g, ' '))
  expect(clocks).toEqual([english, spanish])
  expect(es('cards.heldUntil', { count: 1, clock: clocks[1] ?? '' })).toBe(
    `Cotización válida hasta ${spanish}`,
  )
})

it('says a day of the week as each language does', () =>
  expect([timeText('en', '2026-12-01', 'weekday'), timeText('es', '2026-12-01', 'weekday')]).toEqual([
    'Tue, Dec 1',
    'martes 1 de diciembre',
  ]))

it.each([
  ['2026-12-01T18:45:00Z', 'Dec 1, 6:45 PM GMT+0', '1 de diciembre a las 6:45 p.m. GMT+0'],
  ['2026-12-01T13:45:00Z', 'Dec 1, 1:45 PM GMT+0', '1 de diciembre a la 1:45 p.m. GMT+0'],
])('says the deadline %s as each language does', (time, english, spanish) => {
  const texts = (['en', 'es'] as const).map((locale) => timeText(locale, time, 'moment'))
  expect(texts.map((text) => text.replaceAll(/\s/g, ' '))).toEqual([english, spanish])
})
