import { expect, it } from 'vitest'
import { readWords } from '#words/catalogs.ts'
import { momentIn } from './dates.ts'

const { en, es } = readWords({ product: 'Unspent' })

it.each([
  [
    '17:00',
    'Wednesday, December 2 at noon Eastern Time',
    'miércoles 2 de diciembre a mediodía, hora del Este',
  ],
  [
    '17:30',
    'Wednesday, December 2 at 12:30 PM Eastern Time',
    'miércoles 2 de diciembre a las 12:30 p.m., hora del Este',
  ],
  [
    '18:00',
    'Wednesday, December 2 at 1 PM Eastern Time',
    'miércoles 2 de diciembre a la 1 p.m., hora del Este',
  ],
])('says a moment at %s UTC in both languages', (time, english, spanish) => {
  const at = new Date(`2026-12-02T${time}Z`)
  expect(momentIn(en, at)).toBe(english)
  expect(momentIn(es, at).replaceAll('\u00a0', ' ')).toBe(spanish)
})
