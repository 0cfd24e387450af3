import { eq, sql } from 'drizzle-orm'
import { deadAccountReasons } from '#domain/failure.ts'
import { toDollars } from '#domain/money.ts'
import { letterKinds } from '#domain/notifications.ts'
import { isReasonFor } from '#domain/reasons.ts'
import {
  explainedStatuses,
  findMove,
  type Move,
  type MoveName,
  type Mover,
  moves as moveTable,
  OFFER_HOURS,
  SALE_DECISION_SECONDS,
  type Status,
  statusRules,
} from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { followMove } from '#server/features/books/actions.ts'
import { liftFailed, markFailed } from '#server/features/books/dead-accounts.ts'
import { enqueuePushes } from '#server/features/notifications/actions.ts'
import { idOf, type Seller, type Staff, type System } from '#server/http/actor.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { executePrepared } from '#server/platform/database/queries.ts'
import { transactions } from '#server/platform/database/schema.ts'
import { enqueue, enqueueLater } from '#server/platform/jobs/jobs.ts'
import { type Delivery, publish } from '#server/platform/live/publish.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { ago } from '#words/ago.ts'
import type { Translate } from '#words/translate.ts'
import { insertHistory, listHistory, mailKey, moveNameOf } from './history.ts'
import type { CardRow, LockedCard } from './queries.ts'
import {
  findReasonCode,
  listedCode,
  type SealingContext,
  type StoredReason,
  sealReason,
  UNSEALED,
} from './reasons.ts'
import { isMailedTogether, mailAfterGathering, sendReceiptsFirst, sendWaitingReceipt } from './sales.ts'

export interface MoveRequest {
  readonly to: Status
  /** Refuses any other move to that status. */
  readonly name?: MoveName
  /** The reason, the question or the message that the move needs. */
  readonly reason?: string | undefined
  /** Cents: the offered price, or the offer that the seller saw. */
  readonly amount?: number | undefined
  /** The version that the mover saw. Defaults to the current one, where the move allows that. */
  readonly version?: number | undefined
}

/** The requested move of a locked submission. Throws a refusal that says why it is not allowed. */
export async function allowedMove(
  tx: Transaction,
  card: LockedCard,
  by: Mover,
  { to, name, reason, amount, version }: MoveRequest,
): Promise<Move> {
  await requireVersion(tx, card, by, version)
  const move = findMove(card.status, to, by)
  if (!move || (name && move.name !== name)) {
    const known = moveTable.some((candidate) => candidate.to === to && candidate.by === by)
    if (!known) {
      throw new Refusal('illegal_move', 'refusals.unreachable_status', {
        params: (t) => ({ status: statusName(t, to, by) }),
      })
    }
    const moved = await lastMove(tx, card, by)
    throw new Refusal('illegal_move', 'refusals.illegal_move', {
      params: (t) => ({
        lastMove: moved(t),
        status: statusName(t, card.status, by),
        next: statusName(t, to, by),
      }),
    })
  }
  if (move.needsVersion && version === undefined) {
    throw invalid([{ path: 'version', code: 'version_required' }])
  }
  requireNeeds(move, card, { reason, amount })
  return move
}

/** Refuses a decision on an older version than the current one. */
export async function requireVersion(
  tx: Transaction,
  card: LockedCard,
  by: Mover,
  version: number | undefined,
): Promise<void> {
  if (version === undefined || version === card.version) return
  const moved = await lastMove(tx, card, by)
  throw new Refusal('status_changed', 'refusals.status_changed', {
    params: (t) => ({ lastMove: moved(t), status: statusName(t, card.status, by) }),
  })
}

/** Refuses a move that lacks what its entry in the table needs. */
function requireNeeds(
  { needs }: Move,
  card: LockedCard,
  { reason, amount }: Pick<MoveRequest, 'reason' | 'amount'>,
): void {
  if (needs === 'price') requireOffer(card, amount)
  if (needs === 'offer') {
    if (!amount || amount < 0) throw invalid([{ path: 'amount', code: 'offer_amount_required' }])
    if (amount > card.denomination) {
      const params = { maximum: toDollars(card.denomination) }
      throw invalid([{ path: 'amount', code: 'offer_amount_too_high', params }])
    }
  }
  if ((needs === 'reason' || needs === 'question' || needs === 'offer') && !reason) {
    throw invalid([{ path: 'reason', code: needs === 'question' ? 'question_required' : 'reason_required' }])
  }
}

/** The seller accepts what they saw, or nothing. */
function requireOffer(
  { offerAmount, offerExpiresAt, lockedAt }: LockedCard,
  amount: number | undefined,
): void {
  if (offerExpiresAt && offerExpiresAt <= lockedAt) throw new Refusal('offer_changed', 'refusals.offer_ended')
  if (amount !== offerAmount) {
    const params = { amount: toDollars(offerAmount ?? 0) }
    throw new Refusal('offer_changed', 'refusals.offer_changed', { params })
  }
}

/** The status as this side's screens call it. */
function statusName(t: Translate, status: Status, reader: Mover): string {
  return reader !== 'seller'
    ? t(`staffStatuses.${status}`)
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
  const { byKind, at } = last.entry
  const did = moveNameOf(last.entry)
  const passed = lockedAt.getTime() - at.getTime()
  return (t) =>
    t(`moves.${did}`, {
      who: nameFor(t, reader, byKind, last.name),
      when: ago(t, passed),
    })
}

/** Sellers see only which side it was; staff see usernames. */
function nameFor(t: Translate, reader: Mover, by: Mover, name: string | null): string {
  if (by === 'system') return t('moves.who.system')
  if (reader === 'seller') return t(by === 'seller' ? 'moves.who.you' : 'moves.who.staff')
  return by === 'seller' ? t('moves.who.seller') : (name ?? t('moves.who.unknown'))
}

type MoveContext = SealingContext & Pick<Context, 'words' | 'site'>

/** Who moves a submission. */
export type Actor = Seller | Staff | System

/** What a move changes in a submission's row. */
type Moved = Pick<
  CardRow,
  | 'status'
  | 'version'
  | 'answered'
  | 'sellingPrice'
  | 'offerAmount'
  | 'offerExpiresAt'
  | 'appealedAt'
  | 'dataKey'
  | 'updatedAt'
  | 'releasedAt'
>

interface MoveDetails {
  /** The text that the move needs or may have. */
  readonly text?: string | undefined
  /** Cents: the offered price. */
  readonly amount?: number | undefined
  /** The confirmation number of a payout that was sent by hand. */
  readonly reference?: string | undefined
  /** Seconds to wait with the email. */
  readonly mailAfter?: number | undefined
  /** The policy that approves the card. */
  readonly policy?: { readonly id: string; readonly version: number; readonly name: string } | undefined
}

/**
 * Moves a locked submission: status, history, payout, audit log, email and push. The text is sealed under the submission's
 * data key, unless it is a reason; an erased submission gets a new key. Throws `Refusal` if the reason is for other moves.
 * @returns the changed columns, and the text if it explains the new status
 */
export async function makeMove(
  tx: Transaction,
  context: MoveContext,
  card: LockedCard,
  actor: Actor,
  move: Move,
  { text, amount, reference, mailAfter, policy }: MoveDetails = {},
): Promise<{ moved: Moved; statusReason: StoredReason | null }> {
  const at = card.lockedAt
  const version = card.version + 1
  const { dataKey, stored } = storeText(context, card, version, actor.kind, text)
  const code = listedCode(stored)
  if (code && !isReasonFor(move.name, code)) {
    throw invalid([{ path: 'reason', code: 'reason_of_other_move' }])
  }
  const moved = {
    status: move.to,
    version,
    answered: isAnswer(move.name),
    sellingPrice: move.name === 'accept' && card.offerAmount !== null ? card.offerAmount : card.sellingPrice,
    offerAmount: move.name === 'offer' && amount !== undefined ? amount : null,
    offerExpiresAt: move.name === 'offer' ? new Date(at.getTime() + OFFER_HOURS * 3600 * 1000) : null,
    appealedAt: move.name === 'appeal' ? at : card.appealedAt,
    dataKey,
    updatedAt: at,
    releasedAt: null,
  }
  await Promise.all([
    updateCard(tx, card, moved),
    insertHistory(tx, {
      giftCardId: card.id,
      version,
      fromStatus: card.status,
      toStatus: move.to,
      ...stored,
      move: move.name,
      amount: moved.offerAmount ?? (move.name === 'accept' ? moved.sellingPrice : null),
      byKind: actor.kind,
      byId: idOf(actor),
      policyId: policy?.id,
      policyVersion: policy?.version,
      at,
    }),
    move.name === 'fail' && code && deadAccountReasons.includes(code) && markFailed(tx, card.id, code),
    move.from === 'failed' && actor.kind === 'staff' && liftFailed(tx, card.id, actor.id),
    updateBooks(tx, context, card, { actor, price: moved.sellingPrice, reference, ...move }),
    actor.kind !== 'seller' &&
      record(tx, {
        actor,
        action: 'submission.moved',
        subject: { kind: 'submission', id: card.id },
        // Without the text: it may hold a card number, which could never be erased from the audit log.
        details: {
          ...{ from: move.from, to: move.to, move: move.name },
          ...(policy && { policy: policy.name, version: policy.version }),
        },
      }),
    !move.mailedByPayout && mailLater(tx, card, version, mailAfter, move.name),
    !move.mailedByPayout &&
      letterKinds[move.name].push !== 'never' &&
      enqueuePushes(
        tx,
        card.sellerId,
        { about: 'move', giftCardId: card.id, version },
        mailAfter && card.saleId ? mailAfter + SALE_DECISION_SECONDS : mailAfter,
      ),
    publishMove(tx, card, {
      to: move.to,
      answeredBy: isAnswer(move.name) && actor.kind === 'seller' ? actor.username : undefined,
    }),
  ])
  return { moved, statusReason: explainedStatuses.includes(move.to) ? stored : null }
}

async function updateCard(tx: Transaction, { id, version: before }: LockedCard, moved: Moved): Promise<void> {
  await executePrepared(
    tx,
    'move_card',
    sql`
    update gift_cards set status = ${moved.status}, version = ${moved.version}, answered = ${moved.answered},
      selling_price = ${moved.sellingPrice}, offer_amount = ${moved.offerAmount}, offer_expires_at = ${moved.offerExpiresAt},
      appealed_at = ${moved.appealedAt}, data_key = ${moved.dataKey}, updated_at = ${moved.updatedAt},
      released_at = ${moved.releasedAt}
    where id = ${id} and version = ${before}`,
  )
}

/**
 * The email follows the receipt of the card.
 * @param undoSeconds how long staff may take the move back
 */
async function mailLater(
  tx: Transaction,
  card: LockedCard,
  version: number,
  undoSeconds: number | undefined,
  name: MoveName,
): Promise<void> {
  if (version === 2 && card.saleId === null) await sendWaitingReceipt(tx, card.id)
  const { size: receipts } = await sendReceiptsFirst(tx, [card])
  const seconds = undoSeconds ?? (receipts > 0 ? 1 : undefined)
  const payload = { giftCardId: card.id, version }
  const afterSeconds = isMailedTogether(name) ? mailAfterGathering(card.id, seconds) : seconds
  if (afterSeconds === undefined) await enqueue(tx, 'statusMail', mailKey(payload), payload)
  else await enqueueLater(tx, 'statusMail', mailKey(payload), { payload, afterSeconds })
}

/**
 * A reason is stored by its code, any other text sealed. A submission whose data key cannot be opened can still be moved: its
 * text is lost, and screens say so.
 */
export function storeText(
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

/**
 * Keeps the books: the payout, the stock and the ledger. The transaction has the current price. A completed submission's buyer
 * is who completed it, and it counts as a trade of the seller; a revert undoes both.
 */
export async function updateBooks(
  tx: Transaction,
  { site }: Pick<Context, 'site'>,
  card: LockedCard,
  { actor, price, from, to, reference, isUndo }: BooksChange,
): Promise<void> {
  const { id, sellingPrice } = card
  const { netReceivables, limits } = site.payouts
  await Promise.all([
    followMove(tx, card, { actor, from, to, price, netReceivables, limits, reference, isUndo }),
    price !== sellingPrice &&
      tx.update(transactions).set({ amount: price }).where(eq(transactions.giftCardId, id)),
    to === 'completed' && countTrade(tx, card, idOf(actor), 1),
    from === 'completed' && countTrade(tx, card, null, -1),
  ])
}

/** Counts a submission as a trade of its seller, or no longer. Its buyer is who completed it. */
async function countTrade(
  tx: Transaction,
  { id, sellerId }: LockedCard,
  buyerId: string | null,
  change: 1 | -1,
): Promise<void> {
  await executePrepared(
    tx,
    'count_trade',
    sql`with bought as (update transactions set buyer_id = ${buyerId} where gift_card_id = ${id})
      update users set trade_count = trade_count + ${change} where id = ${sellerId}`,
  )
}

interface BooksChange extends Pick<Move, 'from' | 'to'> {
  readonly actor: Actor
  /** Cents. */
  readonly price: number
  readonly reference?: string | undefined
  readonly isUndo?: true
}

/** Whether the seller's part is done and staff's turn comes first: after an answer or an appeal. */
function isAnswer(name: MoveName): boolean {
  return name === 'answer' || name === 'appeal'
}

/** Tells both sides the new status. */
export async function publishMove(
  tx: Transaction,
  card: Pick<LockedCard, 'id' | 'sellerId' | 'brandName'>,
  move: { to: Status; answeredBy?: string | undefined },
): Promise<void> {
  await publish(tx, moveMessages(card, move))
}

export function moveMessages(
  { id, sellerId, brandName }: Pick<LockedCard, 'id' | 'sellerId' | 'brandName'>,
  { to: status, answeredBy: username }: { to: Status; answeredBy?: string | undefined },
): Delivery[] {
  const answer = username === undefined ? {} : { answer: { brandName, username } }
  const update = { type: 'STATUS_UPDATE' as const, userId: sellerId, submissionId: id }
  return [
    { to: 'staff', message: { ...update, status, ...answer } },
    { to: { userId: sellerId }, message: { ...update, status: statusRules[status].sellerStatus } },
  ]
}
