import { type ReasonCode, reasonCategoriesFor } from '#domain/reasons.ts'
import { findMove, type Move, type Mover, type Status } from '#domain/submission.ts'
import type { statusHistory } from '#server/platform/database/schema.ts'
import type { Random } from '#test/random.ts'
import { answers, questions } from './names.ts'

export type HistoryRow = typeof statusHistory.$inferInsert

type Step = readonly [to: Status, by: Mover]
const reviewed: readonly Step[] = [
  ['under_review', 'staff'],
  ['pending', 'seller'],
]

/** The moves that lead to each status, with their weights. */
const paths: Partial<Record<Status, readonly (readonly [path: readonly Step[], weight: number])[]>> = {
  pending: [
    [[], 90],
    [reviewed, 10],
  ],
  processing: [
    [[['processing', 'staff']], 90],
    [[...reviewed, ['processing', 'staff']], 10],
  ],
  completed: [
    [[['completed', 'staff']], 40],
    [
      [
        ['processing', 'staff'],
        ['completed', 'staff'],
      ],
      52,
    ],
    [[...reviewed, ['completed', 'staff']], 6],
    [
      [
        ['completed', 'staff'],
        ['processing', 'staff'],
        ['completed', 'staff'],
      ],
      2,
    ],
  ],
  rejected: [
    [[['rejected', 'staff']], 90],
    [
      [
        ['under_review', 'staff'],
        ['rejected', 'staff'],
      ],
      10,
    ],
  ],
  failed: [
    [
      [
        ['processing', 'staff'],
        ['failed', 'staff'],
      ],
      100,
    ],
  ],
}

const MAX_WAIT_MS = 8 * 3600 * 1000

export interface Actors {
  readonly sellerId: string
  readonly staffIds: readonly string[]
}

/** Seals the text of the move to a version. */
type SealReason = (version: number, text: string) => Buffer

/** The history that leads to a status, by moves that the status machine allows. */
export function generateHistory(
  giftCardId: string,
  status: Status,
  { createdAt, until }: { createdAt: number; until: number },
  { sellerId, staffIds }: Actors,
  random: Random,
  sealReason: SealReason,
): HistoryRow[] {
  const path = random.weighted(paths[status] ?? [])
  const first = {
    giftCardId,
    version: 1,
    fromStatus: null,
    toStatus: 'pending' as Status,
    sealedReason: null,
    reasonCode: null,
  }
  const entries: HistoryRow[] = [{ ...first, byKind: 'seller', byId: sellerId, at: new Date(createdAt) }]
  let [from, at]: [Status, number] = ['pending', createdAt]
  for (const [to, by] of path) {
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
