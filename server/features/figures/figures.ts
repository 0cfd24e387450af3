import { count, eq, sum } from 'drizzle-orm'
import { claimMinimums, type Figures, type LiveFigure } from '#domain/shop-brand.ts'
import type { Context } from '#server/context.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { giftCards } from '#server/platform/database/schema.ts'

const FRESH_MS = 5 * 60_000
const RETRY_MS = 10_000

/** While the database could not be read yet. */
const UNKNOWN: Figures = { cards_traded: '', paid_out: '', average_rate: '', brands: '' }

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

async function readFigures({ db, catalog, site }: Context): Promise<Figures> {
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
  const isEnough = (live: LiveFigure, value: number) => {
    const claim = site.claims?.find(
      ({ figure }) => typeof figure === 'object' && figure.live === live,
    )?.figure
    const own = typeof claim === 'object' ? claim.minimum : undefined
    return value >= (own ?? claimMinimums[live])
  }
  // Before there are enough sales, what the catalog promises.
  const dollarsPaid = Math.floor((paid ?? 0) / 100)
  const rates = brands.map(({ rate }) => rate / 10_000)
  const average = isEnough('average_rate', cards)
    ? paid / faceValue
    : rates.reduce((total, rate) => total + rate, 0) / rates.length
  return {
    cards_traded: isEnough('cards_traded', cards) ? whole.format(cards) : '',
    paid_out: isEnough('paid_out', dollarsPaid) ? dollars.format(dollarsPaid) : '',
    average_rate: percent.format(average),
    brands: isEnough('brands', brands.length) ? whole.format(brands.length) : '',
  }
}

const whole = new Intl.NumberFormat('en-US')
const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})
const percent = new Intl.NumberFormat('en-US', { style: 'percent' })
