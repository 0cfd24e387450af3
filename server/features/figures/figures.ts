import { count, eq, sum } from 'drizzle-orm'
import type { Figures } from '#domain/shop-brand.ts'
import type { Context } from '#server/context.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { giftCards } from '#server/platform/database/schema.ts'

const FRESH_MS = 5 * 60_000
const RETRY_MS = 10_000

/** Shown if the database could not be read yet. */
const UNKNOWN: Figures = { cards_traded: '–', paid_out: '–', average_rate: '–', brands: '–' }

/**
 * The figures that the brand may claim on the landing page, as texts. They are up to five minutes old, and older while the
 * database cannot be read: pages never wait for it.
 */
export function liveFigures(context: Context): () => Promise<Figures> {
  let figures: Figures | undefined
  let freshUntil = 0
  let reading: Promise<Figures> | undefined

  async function read(): Promise<Figures> {
    try {
      figures = await readFigures(context)
      freshUntil = Date.now() + FRESH_MS
    } catch (err) {
      context.log.warn({ err }, 'cannot read the figures of the landing page')
      freshUntil = Date.now() + RETRY_MS
    }
    reading = undefined
    return figures ?? UNKNOWN
  }

  return async () => {
    if (Date.now() < freshUntil) return figures ?? UNKNOWN
    reading ??= read()
    return figures ?? reading
  }
}

async function readFigures({ db, catalog }: Context): Promise<Figures> {
  const { brands } = await catalog.current()
  const { cards, paid, faceValue } = onlyRow(
    await db
      .select({
        cards: count(),
        paid: sum(giftCards.sellingPrice).mapWith(Number),
        faceValue: sum(giftCards.denomination).mapWith(Number),
      })
      .from(giftCards)
      .where(eq(giftCards.status, 'completed')),
  )
  // Before the first sale, what the catalog promises.
  const rates = brands.map(({ rate }) => rate / 10_000)
  const average = cards > 0 ? paid / faceValue : rates.reduce((total, rate) => total + rate, 0) / rates.length
  return {
    cards_traded: whole.format(cards),
    paid_out: dollars.format(Math.floor((paid ?? 0) / 100)),
    average_rate: percent.format(average),
    brands: whole.format(brands.length),
  }
}

const whole = new Intl.NumberFormat('en-US')
const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})
const percent = new Intl.NumberFormat('en-US', { style: 'percent' })
