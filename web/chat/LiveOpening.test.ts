import { expect, it } from 'vitest'
import { readWords } from '#words/catalogs.ts'
import { answers, openingText } from './LiveOpening.tsx'

const { en, es } = readWords({ product: 'Unspent' })
const shop = 'America/New_York'

it.each([
  [
    '2026-11-23T16:00:00Z',
    true,
    '2026-11-23T23:00:00Z',
    shop,
    'Open now, until 6 PM',
    'Abierto ahora, hasta las 6 p.m.',
  ],
  [
    '2026-11-23T16:00:00Z',
    true,
    '2026-11-23T18:30:00Z',
    shop,
    'Open now, until 1:30 PM',
    'Abierto ahora, hasta la 1:30 p.m.',
  ],
  ['2026-11-23T12:00:00Z', false, '2026-11-23T14:00:00Z', shop, 'Opens at 9 AM', 'Abre a las 9 a.m.'],
  [
    '2026-11-24T02:00:00Z',
    false,
    '2026-11-24T14:00:00Z',
    shop,
    'Opens tomorrow at 9 AM',
    'Abre mañana a las 9 a.m.',
  ],
  [
    '2026-11-28T00:00:00Z',
    false,
    '2026-11-30T14:00:00Z',
    shop,
    'Opens Monday at 9 AM',
    'Abre el lunes a las 9 a.m.',
  ],
  [
    '2026-11-23T16:00:00Z',
    true,
    '2026-11-23T18:30:00Z',
    shop,
    'Open now, until 1:30 PM',
    'Abierto ahora, hasta la 1:30 p.m.',
  ],
  // 24 hours later it is Monday there, because clocks go forward on Sunday.
  [
    '2026-03-08T04:30:00Z',
    false,
    '2026-03-09T13:00:00Z',
    shop,
    'Opens Monday at 9 AM',
    'Abre el lunes a las 9 a.m.',
  ],
  [
    '2026-11-23T16:00:00Z',
    true,
    '2026-11-23T23:00:00Z',
    'Europe/Madrid',
    'Open now, until 12 AM your time',
    'Abierto ahora, hasta las 12 a.m., su hora local',
  ],
  // Already Tuesday in Tokyo.
  [
    '2026-11-23T16:00:00Z',
    false,
    '2026-11-24T14:00:00Z',
    'Asia/Tokyo',
    'Opens at 11 PM your time',
    'Abre a las 11 p.m., su hora local',
  ],
])('says at %s for %s, %s in %s: %s', (now, isOpen, changesAt, reader, english, spanish) => {
  const opening = { isOpen, changesAt: new Date(changesAt) }
  const texts = [en, es].map((t) =>
    openingText(t, opening, new Date(now), { shop, reader }).replaceAll(/\s/g, ' '),
  )
  expect(texts).toEqual([english, spanish])
})

it.each([
  [
    '2026-11-23T14:00:00Z',
    'A person answers today from 9 AM.',
    'Hoy, a partir de las 9 a.m., le responderá una persona.',
  ],
  [
    '2026-11-24T14:00:00Z',
    'A person answers tomorrow from 9 AM.',
    'Mañana, a partir de las 9 a.m., le responderá una persona.',
  ],
  [
    '2026-11-30T14:00:00Z',
    'A person answers on Monday from 9 AM.',
    'El lunes, a partir de las 9 a.m., le responderá una persona.',
  ],
])('says when a person answers at %s: %s', (changesAt, english, spanish) => {
  const opening = { isOpen: false, changesAt: new Date(changesAt) }
  const now = new Date('2026-11-23T12:00:00Z')
  const texts = [en, es].map((t) =>
    openingText(t, opening, now, { shop, reader: shop }, answers).replaceAll(/\s/g, ' '),
  )
  expect(texts).toEqual([english, spanish])
})

it('says no time if it is always open', () => {
  const opening = { isOpen: true, changesAt: undefined }
  expect(openingText(en, opening, new Date(), { shop })).toBe('Open now')
})
