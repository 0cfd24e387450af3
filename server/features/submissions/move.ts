import { and, eq, sql } from 'drizzle-orm'
import { ago } from '#domain/ago.ts'
import {
  findMove,
  type Move,
  type Mover,
  moves as moveTable,
  type Status,
  statusRules,
} from '#domain/submission.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, transactions, users } from '#server/platform/database/schema.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { insertHistory, listHistory } from './history.ts'
import type { CardRow, LockedCard } from './queries.ts'
import { type SealingContext, sealReason, UNSEALED } from './reasons.ts'

export interface MoveRequest {
  readonly to: Status
  readonly reason?: string | undefined
  /** The version that the mover saw. Defaults to the current one, where the move allows that. */
  readonly version?: number | undefined
}

/** The requested move of a locked submission. Throws a refusal that says why it is not allowed. */
export async function allowedMove(
  tx: Transaction,
  card: LockedCard,
  by: Mover,
  { to, reason, version }: MoveRequest,
): Promise<Move> {
  if (version !== undefined && version !== card.version) {
    const now = `It is ${word(card.status, by)} now.`
    throw new Refusal('status_changed', `${await lastMove(tx, card, by)}. ${now}`)
  }
  const move = findMove(card.status, to, by)
  if (!move) {
    const known = moveTable.some((candidate) => candidate.to === to && candidate.by === by)
    if (!known) throw new Refusal('illegal_move', `A submission cannot be made ${word(to, by)} here`)
    const now = `It is ${word(card.status, by)} now and cannot become ${word(to, by)}.`
    throw new Refusal('illegal_move', `${await lastMove(tx, card, by)}. ${now}`)
  }
  if (move.needsVersion && version === undefined) {
    const message = 'Send the version you saw to revert a completed payout'
    throw invalid([{ path: 'version', message }])
  }
  if (move.needs && !reason) {
    const message =
      move.needs === 'question' ? 'Please write the question to the seller' : 'A reason is required'
    throw invalid([{ path: 'reason', message }])
  }
  return move
}

/** The status as this side's screens call it. */
function word(status: Status, reader: Mover): string {
  return statusRules[status][reader === 'staff' ? 'label' : 'sellerLabel']
}

/** Who made the last move, and when: "ana approved it 12 seconds ago". */
async function lastMove(tx: Transaction, { id, lockedAt }: LockedCard, reader: Mover): Promise<string> {
  const last = (await listHistory(tx, id)).at(-1)
  if (!last) return 'It has changed'
  const { fromStatus, toStatus, byKind, at } = last.entry
  const did = fromStatus ? findMove(fromStatus, toStatus, byKind)?.pastTense : 'submitted it'
  const when = ago(lockedAt.getTime() - at.getTime())
  return `${nameFor(reader, byKind, last.name)} ${did ?? 'changed it'} ${when}`
}

/** Sellers see only which side it was; staff see usernames. */
function nameFor(reader: Mover, by: Mover, name: string | null): string {
  if (reader === 'seller') return by === 'seller' ? 'You' : 'Our staff'
  return by === 'seller' ? 'The seller' : (name ?? 'Someone')
}

/** What a move changes in a submission's row. */
type Moved = Pick<CardRow, 'status' | 'version' | 'answered' | 'dataKey' | 'updatedAt' | 'releasedAt'>

/**
 * Moves a locked submission: status, history, payout, audit log, email and push. The text is sealed under the submission's
 * data key; an erased submission gets a new key.
 * @returns the changed columns, and the sealed text if it explains the new status
 */
export async function makeMove(
  tx: Transaction,
  context: SealingContext,
  card: LockedCard,
  actor: Seller | Staff,
  move: Move,
  text: string | undefined,
): Promise<{ moved: Moved; statusReason: Buffer | null }> {
  const at = card.lockedAt
  const version = card.version + 1
  const { dataKey, sealed } = sealIfPossible(context, card, version, text)
  const moved = {
    status: move.to,
    version,
    answered: isAnswer(move),
    dataKey,
    updatedAt: at,
    releasedAt: null,
  }
  await tx
    .update(giftCards)
    .set(moved)
    .where(and(eq(giftCards.id, card.id), eq(giftCards.version, card.version)))
  await insertHistory(tx, {
    giftCardId: card.id,
    version,
    fromStatus: card.status,
    toStatus: move.to,
    sealedReason: sealed,
    byKind: actor.kind,
    byId: actor.id,
    at,
  })
  await updatePayout(tx, card, actor, move)
  if (actor.kind === 'staff') {
    await record(tx, {
      actor,
      action: 'submission.moved',
      subject: { kind: 'submission', id: card.id },
      // Without the text: it may hold a card number, which could never be erased from the audit log.
      details: { from: move.from, to: move.to },
    })
  }
  await enqueue(tx, 'statusMail', `${card.id}:${version}`, { giftCardId: card.id, version })
  await publishMove(tx, card, actor, move)
  return { moved, statusReason: move.needs ? sealed : null }
}

/** A submission whose data key cannot be opened can still be moved. Its text is lost, and screens say so. */
function sealIfPossible(
  { keys, log }: SealingContext,
  card: LockedCard,
  version: number,
  text: string | undefined,
): ReturnType<typeof sealReason> {
  try {
    return sealReason(keys, card, version, text)
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, submission: card.id, version }, 'lost a text of the history: cannot open the data key')
    return { dataKey: card.dataKey, sealed: UNSEALED }
  }
}

/** A completed submission's buyer is who completed it, and it counts as a trade of the seller. A revert undoes both. */
async function updatePayout(
  tx: Transaction,
  { id, sellerId }: LockedCard,
  actor: Seller | Staff,
  { from, to }: Move,
): Promise<void> {
  const isPaid = to === 'completed'
  if (!isPaid && from !== 'completed') return
  const buyerId = isPaid ? actor.id : null
  await tx.update(transactions).set({ buyerId }).where(eq(transactions.giftCardId, id))
  const tradeCount = sql`${users.tradeCount} + ${isPaid ? 1 : -1}`
  await tx.update(users).set({ tradeCount }).where(eq(users.id, sellerId))
}

function isAnswer({ from, by, to }: Move): boolean {
  return by === 'seller' && from === 'under_review' && to === 'pending'
}

async function publishMove(
  tx: Transaction,
  { id, sellerId, brandName }: LockedCard,
  { username }: Seller | Staff,
  move: Move,
): Promise<void> {
  const status = move.to
  const answer = isAnswer(move) ? { answer: { brandName, username } } : {}
  const update = { type: 'STATUS_UPDATE' as const, userId: sellerId, submissionId: id }
  await publish(tx, [
    { to: 'staff', message: { ...update, status, ...answer } },
    { to: { userId: sellerId }, message: { ...update, status: statusRules[status].sellerStatus } },
  ])
}
