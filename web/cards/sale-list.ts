import { useMemo } from 'react'
import type { Brand } from '#domain/brands.ts'
import { type BasisPoints, parseDollars, shareOf } from '#domain/money.ts'
import { brandToSell, type Quote, type QuoteResult, quote as quoteFor } from '#domain/quote.ts'
import { createStoredText, useStore } from '#web/kit/store.ts'
import { parseJson } from '#web/wire/errors.ts'
import { randomUuid } from '#web/wire/random-uuid.ts'
import type { RateChange } from './rate-change.ts'

/** Cards to sell together. Kept for the life of the tab, also through signing in. */
export interface SaleList {
  /** The `saleId` of the submissions. */
  readonly id: string
  /** The seller who began to sell them. Unknown while nobody has signed in. */
  readonly sellerId?: string
  readonly cards: readonly ListedCard[]
}

export interface ListedCard {
  /** The idempotency key of its submission. */
  readonly key: string
  /** A slug. */
  readonly brand: string
  /** Dollars, as typed. */
  readonly value: string
  /** The rate of the quote that the seller was shown. */
  readonly rate: BasisPoints
  /** The id of its submission, once the server has accepted it. */
  readonly submissionId?: string
}

const stored = createStoredText('sessionStorage', 'sale')

/** The list, or undefined if there is none. Also undefined in prerendered documents. */
export function useSaleList(): SaleList | undefined {
  const text = useStore(stored, null)
  return useMemo(() => readList(text), [text])
}

/** Adds a card with the quote that is shown. Starts a new list if every card of the old one is sold. */
export function addToSale({ brand, rate }: Quote, value: string): void {
  const list = readList(stored.get())
  const going = list?.cards.some(({ submissionId }) => !submissionId) ? list : undefined
  const card = { key: randomUuid(), brand: brand.value, value, rate }
  save({ ...(going ?? { id: randomUuid() }), cards: [...(going?.cards ?? []), card] })
}

/** Removes a card. The list ends with its last card. */
export function removeFromSale(key: string): void {
  change((list) => ({ ...list, cards: list.cards.filter((card) => card.key !== key) }))
}

/** Changes what is known of a card: its accepted rate, or its submission. */
export function updateListedCard(key: string, part: Partial<ListedCard>): void {
  change((list) => ({
    ...list,
    cards: list.cards.map((card) => (card.key === key ? { ...card, ...part } : card)),
  }))
}

/** Ties the list to the seller who signed in: submissions of the same sale have one seller. */
export function setSeller(sellerId: string): void {
  change((list) => ({ ...list, sellerId }))
}

export function deleteSaleList(id: string): void {
  if (readList(stored.get())?.id === id) stored.set(null)
}

/** What a card of the list pays by today's terms, and whether its rate has changed since it was shown. */
export function quoteOf(
  { brand: slug, value, rate, submissionId }: ListedCard,
  brands: readonly Brand[],
  isFetched: boolean,
): QuoteResult & { brand: Brand | null | undefined; change?: RateChange | undefined } {
  const brand = brandToSell(slug, brands)
  if (brand && submissionId) {
    const faceValue = parseDollars(value) ?? 0
    const pays = shareOf(faceValue, rate)
    return { brand, quote: { brand, faceValue, pays, rate, discount: 10_000 - rate } }
  }
  const isChanged = brand && isFetched && brand.rate !== rate
  return {
    brand,
    ...quoteFor(brand, value),
    change: isChanged ? { brand, from: rate, to: brand.rate } : undefined,
  }
}

function change(update: (list: SaleList) => SaleList): void {
  const list = readList(stored.get())
  if (list) save(update(list))
}

function save(list: SaleList): void {
  stored.set(list.cards.length > 0 ? JSON.stringify(list) : null)
}

function readList(text: string | null): SaleList | undefined {
  const found = text === null ? undefined : parseJson(text)
  return isList(found) ? found : undefined
}

function isList(value: unknown): value is SaleList {
  const { id, cards } = Object(value)
  return typeof id === 'string' && Array.isArray(cards) && cards.every(isCard)
}

function isCard(value: unknown): value is ListedCard {
  const { key, brand, value: dollars, rate } = Object(value)
  return [key, brand, dollars].every((text) => typeof text === 'string') && Number.isInteger(rate)
}
