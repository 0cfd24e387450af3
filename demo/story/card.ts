import type { Brand } from '#domain/brands.ts'
import { photosRequired } from '#domain/card.ts'
import { drawBack, drawFront } from '../draw-card.ts'
import type { Sale } from '../sales/sale.ts'
import { sales } from '../sales/sales.ts'

/** The card of a sale: what stands on it follows from the sale's place, so that every demo has the same cards. */

/** As many as the brand wants to see of it. */
export function photosOf(sale: Sale, { name }: Brand): Promise<Buffer[]> {
  const card = drawingOf(sale, name, 3)
  const back = photosRequired(sale.brand, sale.digital ? 'digital' : 'physical') === 2
  return Promise.all([drawFront(card), ...(back ? [drawBack(card)] : [])])
}

/** What a seller sends when staff ask for more. */
export function receiptOf(sale: Sale): Promise<Buffer> {
  return drawBack(drawingOf(sale, 'Receipt', 5))
}

function drawingOf(sale: Sale, brandName: string, seed: number) {
  return { brandName, number: numberOf(sale), pin: pinOf(sale), seed: sales.indexOf(sale) * 7 + seed }
}

/** A number like a card's, which is none: no issuer's begins with these digits. */
export function numberOf(sale: Sale): string {
  const place = placeOf(sale)
  const digits = `0000${String(10_000_000 + place * 738_211)}${String(4071 + place * 97)}`
  return digits.match(/\d{4}/g)?.join(' ') ?? digits
}

export function pinOf(sale: Sale): string {
  return String(2310 + placeOf(sale) * 61)
}

function placeOf(sale: Sale): number {
  return sale.sameCardAs ?? sales.indexOf(sale)
}
