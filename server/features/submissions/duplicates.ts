import { type Duplicate, type DuplicateReason, duplicateReasons, type SellerRecord } from '#contract/staff.ts'
import { toDecimal } from '#domain/money.ts'
import type { Context } from '#server/context.ts'
import { notFound } from '#server/http/refusal.ts'
import * as queries from './duplicate-queries.ts'
import { type CardRow, findCard as findRow } from './queries.ts'
import { openReason } from './reasons.ts'

type DuplicateRow = Awaited<ReturnType<typeof queries.findDuplicateRows>>[number]

/** Other submissions that may be the same card or person again: the strongest reason first, then the newest. */
export async function listDuplicates(context: Context, id: string): Promise<Duplicate[]> {
  const card = await findCard(context, id)
  const reasons = await findReasons(context, card)
  const rows = await queries.findDuplicateRows(context.db, [...reasons.keys()])
  return rows
    .map((row) => toDuplicate(context, card, row, reasons.get(row.card.id) ?? []))
    .sort((a, b) => strength(a) - strength(b) || (a.id < b.id ? 1 : -1))
}

export async function readSellerRecord(context: Context, id: string): Promise<SellerRecord> {
  const { sellerId } = await findCard(context, id)
  return queries.sumSellerRecord(context.db, sellerId)
}

async function findCard({ db }: Context, id: string): Promise<CardRow> {
  const card = await findRow(db, id)
  if (!card) throw notFound()
  return card
}

async function findReasons({ db }: Context, card: CardRow): Promise<Map<string, DuplicateReason[]>> {
  const find = {
    card_number: queries.findSameNumber,
    photo: queries.findSimilarPhoto,
    payment_account: queries.findSameAccount,
  }
  const found = await Promise.all(duplicateReasons.map((reason) => find[reason](db, card)))
  const reasons = new Map<string, DuplicateReason[]>()
  for (const [index, reason] of duplicateReasons.entries()) {
    for (const id of found[index] ?? []) reasons.set(id, [...(reasons.get(id) ?? []), reason])
  }
  return reasons
}

function strength({ reasons, sameSeller }: Duplicate): number {
  const [strongest = 'payment_account'] = reasons
  // That a seller is paid to the same account each time is as it should be.
  return duplicateReasons.indexOf(strongest) + (strongest === 'payment_account' && sameSeller ? 1 : 0)
}

function toDuplicate(
  context: Context,
  card: CardRow,
  { card: other, statusReason, username }: DuplicateRow,
  reasons: DuplicateReason[],
): Duplicate {
  return {
    id: other.id,
    brand: other.brand,
    brandName: other.brandName,
    unlistedBrand: other.unlistedBrand,
    denomination: toDecimal(other.denomination),
    status: other.status,
    statusReason: openReason(context, other, other.version, statusReason),
    reasons,
    user: { id: other.sellerId, username },
    sameSeller: other.sellerId === card.sellerId,
    createdAt: other.createdAt.toISOString(),
  }
}
