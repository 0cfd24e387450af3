import { and, eq, sql } from 'drizzle-orm'
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
import { giftCards, transactions, users } from '#server/platform/database/schema.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { ago } from '#words/ago.ts'
import type { Translate } from '#words/translate.ts'
import { insertHistory, listHistory } from './history.ts'
import type { CardRow, LockedCard } from './queries.ts'
import { findReasonCode, type SealingContext, type StoredReason, sealReason, UNSEALED } from './reasons.ts'

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
    const moved = await lastMove(tx, card, by)
    throw new Refusal('status_changed', 'refusals.status_changed', {
      params: (t) => ({ lastMove: moved(t), status: word(t, card.status, by) }),
    })
  }
  const move = findMove(card.status, to, by)
  if (!move) {
    const known = moveTable.some((candidate) => candidate.to === to && candidate.by === by)
    if (!known) {
      throw new Refusal('illegal_move', 'refusals.unreachable_status', {
        params: (t) => ({ status: word(t, to, by) }),
      })
    }
    const moved = await lastMove(tx, card, by)
    throw new Refusal('illegal_move', 'refusals.illegal_move', {
      params: (t) => ({ lastMove: moved(t), status: word(t, card.status, by), next: word(t, to, by) }),
    })
  }
  if (move.needsVersion && version === undefined) {
    throw invalid([{ path: 'version', code: 'version_required' }])
  }
  if (move.needs && !reason) {
    throw invalid([{ path: 'reason', code: `${move.needs}_required` }])
  }
  return move
}

/** The status as this side's screens call it. */
function word(t: Translate, status: Status, reader: Mover): string {
  return reader === 'staff'
    ? t(`statuses.staff.${status}`)
    : t(`statuses.label.${statusRules[status].sellerStatus}`)
}

/** Says who made the last move, and when: "ana approved it 12 seconds ago". */
async function lastMove(
  tx: Transaction,
  { id, lockedAt }: LockedCard,
  reader: Mover,
): Promise<(t: Translate) => string> {
  const last = (await listHistory(tx, id)).at(-1)
  if (!last) return (t) => t('refusals.changed')
  const { fromStatus, toStatus, byKind, at } = last.entry
  const did = fromStatus ? findMove(fromStatus, toStatus, byKind)?.name : 'submit'
  const passed = lockedAt.getTime() - at.getTime()
  return (t) =>
    t(`statuses.moved.${did ?? 'unknown'}`, {
      who: nameFor(t, reader, byKind, last.name),
      when: ago(t, passed),
    })
}

/** Sellers see only which side it was; staff see usernames. */
function nameFor(t: Translate, reader: Mover, by: Mover, name: string | null): string {
  if (reader === 'seller') return t(by === 'seller' ? 'statuses.who.you' : 'statuses.who.staff')
  return by === 'seller' ? t('statuses.who.seller') : (name ?? t('statuses.who.unknown'))
}

type MoveContext = SealingContext & Pick<Context, 'words'>

/** What a move changes in a submission's row. */
type Moved = Pick<CardRow, 'status' | 'version' | 'answered' | 'dataKey' | 'updatedAt' | 'releasedAt'>

/**
 * Moves a locked submission: status, history, payout, audit log, email and push. The text is sealed under the submission's
 * data key, unless it is a reason; an erased submission gets a new key.
 * @returns the changed columns, and the text if it explains the new status
 */
export async function makeMove(
  tx: Transaction,
  context: MoveContext,
  card: LockedCard,
  actor: Seller | Staff,
  move: Move,
  text: string | undefined,
): Promise<{ moved: Moved; statusReason: StoredReason | null }> {
  const at = card.lockedAt
  const version = card.version + 1
  const { dataKey, stored } = storeText(context, card, version, actor.kind, text)
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
    ...stored,
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
  return { moved, statusReason: move.needs ? stored : null }
}

/**
 * A reason is stored by its code, any other text sealed. A submission whose data key cannot be opened can still be moved: its
 * text is lost, and screens say so.
 */
function storeText(
  { keys, log, words }: MoveContext,
  card: LockedCard,
  version: number,
  by: Mover,
  text: string | undefined,
): { dataKey: Buffer | null; stored: StoredReason } {
  const { dataKey } = card
  if (text === undefined) return { dataKey, stored: { reasonCode: null, sealedReason: null } }
  const known = by === 'staff' && findReasonCode(words.en, text)
  if (known) return { dataKey, stored: { reasonCode: known, sealedReason: null } }
  const reasonCode = by === 'staff' ? 'free_text' : null
  try {
    const { sealed, ...key } = sealReason(keys, card, version, text)
    return { ...key, stored: { reasonCode, sealedReason: sealed } }
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, submission: card.id, version }, 'lost a text of the history: cannot open the data key')
    return { dataKey, stored: { reasonCode, sealedReason: UNSEALED } }
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
