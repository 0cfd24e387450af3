import { type ReasonCode, reasonCategoriesFor } from '#domain/reasons.ts'
import { findMove, type Move, type Status } from '#domain/submission.ts'
import type { statusHistory } from '#server/platform/database/schema.ts'
import type { Random } from '#test/random.ts'
import { answers, questions } from './names.ts'

export type HistoryRow = typeof statusHistory.$inferInsert & { readonly at: Date }

const asked: readonly Status[] = ['under_review', 'pending']

/** The statuses after the first one, and how many of 1,000 submissions go that way. Sellers answer, staff do the rest. */
const paths: readonly (readonly [path: readonly Status[], weight: number])[] = [
  [[], 90],
  [asked, 10],
  [['processing'], 45],
  [[...asked, 'processing'], 5],
  [['completed'], 290],
  [['processing', 'completed'], 368],
  [[...asked, 'completed'], 42],
  [['rejected'], 108],
  [['under_review', 'rejected'], 12],
  [['processing', 'failed'], 30],
]

const MAX_WAIT_MS = 8 * 3600 * 1000

export interface HistoryOptions {
  readonly giftCardId: string
  readonly sellerId: string
  readonly staffIds: readonly string[]
  readonly createdAt: number
  readonly until: number
  readonly random: Random
  /** Seals the text of the move to a version. */
  readonly sealReason: (version: number, text: string) => Buffer
}

/** The history of a submission, by moves that the status machine allows. */
export function generateHistory(options: HistoryOptions): [HistoryRow, ...HistoryRow[]] {
  const { giftCardId, sellerId, staffIds, createdAt, until, random, sealReason } = options
  const first: HistoryRow = {
    giftCardId,
    version: 1,
    toStatus: 'pending',
    byKind: 'seller',
    byId: sellerId,
    at: new Date(createdAt),
  }
  const entries: [HistoryRow, ...HistoryRow[]] = [first]
  let [from, at]: [Status, number] = ['pending', createdAt]
  for (const to of random.weighted(paths)) {
    const by = to === 'pending' ? 'seller' : 'staff'
    const move = findMove(from, to, by)
    if (!move) throw new Error(`${by} cannot move a submission from ${from} to ${to}`)
    at += Math.floor(random.number() * Math.min(MAX_WAIT_MS, until - at))
    const version = entries.length + 1
    const { text, code } = reasonFor(move, random)
    entries.push({
      giftCardId,
      version,
      fromStatus: from,
      toStatus: to,
      sealedReason: text === null ? null : sealReason(version, text),
      reasonCode: code,
      move: move.name,
      byKind: by,
      byId: by === 'staff' ? random.pick(staffIds) : sellerId,
      at: new Date(at),
    })
    from = to
  }
  return entries
}

function reasonFor(
  { name, needs, by, to }: Move,
  random: Random,
): { text: string | null; code: ReasonCode | 'free_text' | null } {
  if (needs === 'question') return { text: random.pick(questions), code: 'free_text' }
  if (needs === 'reason')
    return { text: null, code: random.pick<ReasonCode>(random.pick(reasonCategoriesFor(name)).reasons) }
  return { text: by === 'seller' && to === 'pending' ? random.pick(answers) : null, code: null }
}
