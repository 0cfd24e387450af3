import { createHash } from 'node:crypto'
import {
  type BatchState,
  type FileKind,
  fileKindOf,
  type PayoutState,
  sentBatchStates,
} from '#domain/payout.ts'
import { entryOf, postEntries, undoneEntryOf } from '#server/features/books/ledger.ts'
import { sealFile } from '#server/features/payouts/batch-file.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { inventory, payoutBatches, payouts } from '#server/platform/database/schema.ts'
import type { Random } from '#test/random.ts'
import type { GeneratedSubmission, World } from './submissions.ts'
import { idAt } from './timeline.ts'

type Item = NonNullable<GeneratedSubmission['item']>
type PayoutRow = typeof payouts.$inferInsert & { readonly dueAt: Date; readonly state: PayoutState }

/** Inserts the payouts of submissions, their batches, the cards that we own, and the entries of the ledger. */
export async function insertBooks(
  tx: Transaction,
  submissions: readonly GeneratedSubmission[],
  world: World,
): Promise<void> {
  const rows = submissions.flatMap((submission) => payoutsOf(submission, world.random))
  const items = submissions.flatMap(({ item }) => item ?? [])
  const { batches, places } = batchesOf(rows, world)
  if (batches.length > 0) await tx.insert(payoutBatches).values(batches)
  if (rows.length > 0) await tx.insert(payouts).values(rows.map((row) => ({ ...row, ...places.get(row.id) })))
  if (items.length > 0) await tx.insert(inventory).values(items)
  await postPayouts(tx, rows)
  await postItems(tx, items)
}

/** What becomes of a payout whose card is not completed, with weights. */
const unpaid: readonly (readonly [PayoutState, number])[] = [
  ['due', 50],
  ['batched', 15],
  ['exported', 25],
  ['returned', 10],
]
/** The share of payments that came back once. */
const RETURNED_SHARE = 0.02

/** An approved submission was paid by hand if it was completed at once, and otherwise by a batch. */
function payoutsOf({ card, history }: GeneratedSubmission, random: Random): PayoutRow[] {
  const approval = history.find(({ toStatus }) => toStatus === 'processing' || toStatus === 'completed')
  if (!approval) return []
  const { at: dueAt, toStatus } = approval
  const {
    id: giftCardId,
    sellerId,
    sellingPrice: amount,
    paymentType,
    paymentAccountHint: accountHint,
  } = card
  const common = { giftCardId, sellerId, amount, paymentType, accountHint, dueAt, batchableAt: dueAt }
  const payout = (state: PayoutState, more: Partial<PayoutRow> = {}): PayoutRow => ({
    id: idAt(dueAt.getTime(), random),
    ...common,
    state,
    ...more,
  })
  const paid = { sentAt: dueAt, paidAt: card.updatedAt }
  const returned = () =>
    payout('returned', { ...paid, returnedAt: card.updatedAt, returnReason: 'The account is closed' })
  if (card.status === 'failed') return [payout('void')]
  if (card.status === 'completed' && toStatus === 'completed')
    return [payout('paid', { ...paid, byHand: true, reference: `P-${random.digits(8)}` })]
  if (card.status === 'completed')
    return [...(random.chance(RETURNED_SHARE) ? [returned()] : []), payout('paid', paid)]
  const state = random.weighted(unpaid)
  if (state === 'returned') return [returned()]
  return [payout(state, { sentAt: state === 'exported' ? dueAt : null })]
}

/** For each state that its payouts have, the state of a batch. */
const batchStates: Partial<Readonly<Record<PayoutState, readonly BatchState[]>>> = {
  batched: ['open', 'frozen'],
  exported: ['exported'],
  paid: ['settled'],
  returned: ['settled'],
}
const FILE = Buffer.from('A generated batch has no payments in its file.\n')
const fileSha256 = createHash('sha256').update(FILE).digest('hex')

/** One batch for each kind of file and state, and the places of payouts in them. */
function batchesOf(
  rows: readonly PayoutRow[],
  { random, staffIds: [payer = '', manager = ''], keys }: World,
) {
  const groups = Map.groupBy(rows, ({ state, byHand, paymentType }) => {
    const states = byHand ? undefined : batchStates[state]
    return states && `${fileKindOf(paymentType)} ${random.pick(states)}`
  })
  groups.delete(undefined)
  const places = new Map<string, { batchId: string; batchPosition: number }>()
  const batches = [...groups].map(([key = '', group]) => {
    const [fileKind, state] = key.split(' ') as [FileKind, BatchState]
    const at = new Date(Math.max(...group.map(({ dueAt }) => dueAt.getTime())))
    const id = idAt(at.getTime(), random)
    for (const [index, payout] of group.entries()) {
      places.set(payout.id, { batchId: id, batchPosition: index + 1 })
    }
    return {
      id,
      fileKind,
      paymentTypes: [...new Set(group.map(({ paymentType }) => paymentType))],
      state,
      count: group.length,
      total: group.reduce((total, { amount }) => total + amount, 0),
      createdBy: payer,
      createdAt: at,
      ...(state !== 'open' && { frozenBy: payer, frozenAt: at }),
      ...(sentBatchStates.includes(state) && {
        releasedBy: manager,
        releasedAt: at,
        exportedBy: payer,
        exportedAt: at,
        fileName: 'generated.txt',
        fileSha256,
        ...sealFile(keys, id, FILE),
      }),
      ...(state === 'settled' && { settledBy: manager, settledAt: at, settledOn: dayOf(at) }),
    }
  })
  return { batches, places }
}

async function postPayouts(tx: Transaction, rows: readonly PayoutRow[]): Promise<void> {
  const firsts = [...new Map(rows.toReversed().map((row) => [row.giftCardId, row])).values()].toReversed()
  const approved = (how: typeof entryOf) => (row: PayoutRow) =>
    how('approved', { price: row.amount }, { giftCardId: row.giftCardId, on: dayOf(row.dueAt) })
  const moved = (event: 'paid' | 'returned') =>
    rows.flatMap(({ id: payoutId, giftCardId, ...facts }) => {
      const at = facts[`${event}At`]
      return at ? [entryOf(event, facts, { giftCardId, payoutId, on: dayOf(at) })] : []
    })
  await postEntries(tx, firsts.map(approved(entryOf)))
  await postEntries(tx, firsts.filter(({ state }) => state === 'void').map(approved(undoneEntryOf)))
  await postEntries(tx, moved('paid'))
  await postEntries(tx, moved('returned'))
}

async function postItems(tx: Transaction, items: readonly Item[]): Promise<void> {
  await postEntries(
    tx,
    items.map(({ giftCardId, cost, enteredAt }) =>
      entryOf('stocked', { cost }, { giftCardId, on: dayOf(enteredAt) }),
    ),
  )
  for (const event of ['sold', 'used', 'bad'] as const) {
    const left = items.filter(({ state }) => state === event)
    await postEntries(
      tx,
      left.map(({ giftCardId, sellerId, cost, proceeds, enteredAt, leftAt }) => {
        const on = dayOf(leftAt ?? enteredAt)
        return entryOf(event, { cost, sellerId, proceeds: proceeds ?? 0 }, { giftCardId, on })
      }),
    )
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
