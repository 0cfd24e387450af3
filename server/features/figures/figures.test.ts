import { expect, it, vi } from 'vitest'
import { createTestApp } from '#test/app.ts'
import { submitted } from '#test/submissions.ts'
import { liveFigures } from './figures.ts'

it('states what was sold from the minimum of each claim on, and the average of the catalog before', async () => {
  const server = await createTestApp()
  const text = { en: 'x', es: 'x' }
  const site = {
    ...server.context.site,
    claims: [
      { figure: { live: 'cards_traded', minimum: 2 }, text },
      { figure: { live: 'paid_out', minimum: 100 }, text },
      { figure: { live: 'average_rate', minimum: 2 }, text },
    ] as const,
  }
  const brands = String((await server.context.catalog.current()).brands.length)
  expect(await liveFigures(server.context)()).toEqual({
    cards_traded: '',
    paid_out: '',
    average_rate: '86%',
    brands,
  })
  const seller = await server.seller()
  for (const card of [{}, { denomination: '25.25', sellingPrice: '23.48' }]) await submitted(seller, card)
  await server.pool.query("update gift_cards set status = 'completed'")
  expect(await liveFigures(server.context)()).toMatchObject({ cards_traded: '', average_rate: '86%' })
  expect(await liveFigures({ ...server.context, site })()).toEqual({
    cards_traded: '2',
    paid_out: '$116',
    average_rate: '93%',
    brands,
  })
})

it('keeps its figures for five minutes, and while the database cannot be read', async () => {
  const server = await createTestApp()
  let fails = true
  const current = async () => {
    if (fails) throw new Error('no database')
    return server.context.catalog.current()
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  const figures = liveFigures({ ...server.context, catalog: { current, forget: () => {} } })
  expect((await figures()).brands).toBe('')
  fails = false
  vi.advanceTimersByTime(10_000)
  const read = await figures()
  vi.advanceTimersByTime(4 * 60_000)
  expect(await figures()).toBe(read)
  expect(read.brands).toMatch(/^\d+$/)
  fails = true
  vi.advanceTimersByTime(5 * 60_000)
  expect(await figures()).toBe(read)
  vi.useRealTimers()
})
