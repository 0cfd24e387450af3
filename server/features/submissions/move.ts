import { ago } from '#domain/ago.ts'
import {
  findMove,
  type Move,
  type Mover,
  moves as moveTable,
  type Status,
  statusRules,
} from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { VaultError } from '#server/platform/vault/context.ts'
import { insertHistory, listHistory } from './history.ts'
import * as queries from './queries.ts'
import { sealReason, UNSEALED } from './reasons.ts'

export interface MoveRequest {
  readonly to: Status
  readonly reason?: string | undefined
  /** The version that the mover has seen. Without it the current one counts, where the move allows that. */
  readonly version?: number | undefined
}

/** The move of a locked submission that the table allows, or a refusal that says why not. */
export async function allowedMove(
  tx: Transaction,
  card: queries.LockedCard,
  by: Mover,
  { to, reason, version }: MoveRequest,
): Promise<Move> {
  if (version !== undefined && version !== card.version) {
    throw new Refusal(
      'status_changed',
      `${await lastDeed(tx, card, by)}. It is ${word(card.status, by)} now.`,
    )
  }
  const move = findMove(card.status, to, by)
  if (!move) {
    const known = moveTable.some((candidate) => candidate.to === to && candidate.by === by)
    if (!known) throw new Refusal('illegal_move', `A submission cannot be made ${word(to, by)} here`)
    const now = `It is ${word(card.status, by)} now and cannot become ${word(to, by)}.`
    throw new Refusal('illegal_move', `${await lastDeed(tx, card, by)}. ${now}`)
  }
  if (move.needsVersion && version === undefined) {
    const message = 'Send the version you saw to take back a completed payout'
    throw invalid([{ path: 'version', message }])
  }
  if (move.needs && !reason) {
    const message =
      move.needs === 'question' ? 'Please write the question to the seller' : 'A reason is required'
    throw invalid([{ path: 'reason', message }])
  }
  return move
}

/** A status as the reader's side calls it. */
function word(status: Status, reader: Mover): string {
  return statusRules[status][reader === 'staff' ? 'label' : 'sellerLabel']
}

/** Who did the last thing to a submission, and when: what whoever comes too late wants to know. */
async function lastDeed(
  tx: Transaction,
  { id, lockedAt }: queries.LockedCard,
  reader: Mover,
): Promise<string> {
  const last = (await listHistory(tx, id)).at(-1)
  if (!last) return 'It changed meanwhile'
  const { fromStatus, toStatus, byKind, at } = last.entry
  const deed = fromStatus ? findMove(fromStatus, toStatus, byKind)?.pastTense : 'submitted it'
  return `${nameFor(reader, byKind, last.name)} ${deed ?? 'changed it'} ${ago(lockedAt.getTime() - at.getTime())}`
}

/** Sellers learn which side it was, staff who of theirs. */
function nameFor(reader: Mover, by: Mover, name: string | null): string {
  if (reader === 'seller') return by === 'seller' ? 'You' : 'Our staff'
  return by === 'seller' ? 'The seller' : (name ?? 'Somebody')
}

/**
 * Makes a move of a locked submission: status, history, and what follows from it, all in this transaction. The reason is
 * sealed under the submission's data key. An erased submission gets a new key for what is written now.
 *
 * @returns what of the submission is different now, and the sealed reason if it explains the new status
 */
export async function makeMove(
  tx: Transaction,
  context: SealingContext,
  card: queries.LockedCard,
  actor: Seller | Staff,
  move: Move,
  reason: string | undefined,
): Promise<{ moved: queries.Moved; statusReason: Buffer | null }> {
  const at = card.lockedAt
  const version = card.version + 1
  const { dataKey, sealed } = sealIfPossible(context, card, version, reason)
  const answered = isAnswer(move)
  const moved = { status: move.to, version, answered, dataKey, updatedAt: at, releasedAt: null }
  await queries.updateStatus(tx, card, moved)
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
      // The reason is sealed in the history: it may hold a number, and the audit log can never forget one.
      details: { from: move.from, to: move.to },
    })
  }
  await enqueue(tx, 'statusMail', `${card.id}:${version}`, { giftCardId: card.id, version })
  await publishMove(tx, card, actor, move)
  return { moved, statusReason: move.needs ? sealed : null }
}

type SealingContext = Pick<Context, 'keys' | 'log'>

/** A submission whose data key does not open can still be decided: its text is lost, and the views say so. */
function sealIfPossible(
  { keys, log }: SealingContext,
  card: queries.LockedCard,
  version: number,
  reason: string | undefined,
): ReturnType<typeof sealReason> {
  try {
    return sealReason(keys, card, version, reason)
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error(
      { err, submission: card.id, version },
      'a text of the history is lost: its data key does not open',
    )
    return { dataKey: card.dataKey, sealed: UNSEALED }
  }
}

/** Whoever completed it is its buyer; a revert takes both back. */
async function updatePayout(
  tx: Transaction,
  card: queries.LockedCard,
  actor: Seller | Staff,
  { from, to }: Move,
): Promise<void> {
  if (to === 'completed') {
    await queries.setBuyer(tx, card.id, actor.id)
    await queries.addTrades(tx, card.sellerId, 1)
  } else if (from === 'completed') {
    await queries.setBuyer(tx, card.id, null)
    await queries.addTrades(tx, card.sellerId, -1)
  }
}

function isAnswer({ from, by, to }: Move): boolean {
  return by === 'seller' && from === 'under_review' && to === 'pending'
}

async function publishMove(
  tx: Transaction,
  { id, sellerId, brandName }: queries.LockedCard,
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
