import { and, asc, eq, sql } from 'drizzle-orm'
import type { HistoryAnswer } from '#contract/submissions.ts'
import { failureOf } from '#domain/failure.ts'
import { findMove, type HistoryName, type Status, statusRules } from '#domain/submission.ts'
import type { Staff } from '#server/http/actor.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { executePrepared } from '#server/platform/database/queries.ts'
import {
  administrators,
  giftCards,
  photos,
  policies,
  statusHistory,
  users,
} from '#server/platform/database/schema.ts'
import type { JobPayloads } from '#server/platform/jobs/jobs.ts'
import type { Translate } from '#words/translate.ts'
import { photoPaths } from './photos.ts'
import { notCleared } from './queries.ts'
import { openReason, type SealingContext } from './reasons.ts'

type HistoryRow = Awaited<ReturnType<typeof listHistory>>[number]

export async function insertHistory(
  tx: Transaction,
  ...rows: (Omit<typeof statusHistory.$inferInsert, 'plainReason' | 'at'> & { readonly at: Date })[]
): Promise<void> {
  const given = rows.map(({ sealedReason, ...row }) => ({
    ...row,
    sealedReason: sealedReason && `\\x${sealedReason.toString('hex')}`,
  }))
  await executePrepared(
    tx,
    'insert_history',
    sql`
    insert into status_history
      (gift_card_id, version, from_status, to_status, sealed_reason, reason_code, move, amount, by_kind, by_id, policy_id,
        policy_version, at)
    select "giftCardId", version, "fromStatus", "toStatus", "sealedReason", "reasonCode", move, amount, "byKind", "byId", "policyId",
      "policyVersion", at
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
      "giftCardId" uuid, version integer, "fromStatus" text, "toStatus" text, "sealedReason" bytea, "reasonCode" text,
      move text, amount bigint, "byKind" text, "byId" uuid, "policyId" uuid, "policyVersion" integer, at timestamptz
    )`,
  )
}

/** Oldest first, with the username of who made each move and the photos of an answer. Empty for a removed submission. */
export async function listHistory(db: Executor, giftCardId: string) {
  return await db
    .select({
      entry: statusHistory,
      card: {
        id: giftCards.id,
        dataKey: giftCards.dataKey,
        secretsErasedAt: giftCards.secretsErasedAt,
        status: giftCards.status,
      },
      photoNames: sql<string[]>`(
        select coalesce(array_agg(${photos.name} order by ${photos.position}), '{}') from ${photos}
        where ${photos.giftCardId} = ${statusHistory.giftCardId} and ${photos.version} = ${statusHistory.version}
          and ${statusHistory.version} > 1 and ${photos.balanceCheckId} is null
      )`,
      policy: { name: policies.name, version: policies.version },
      name: sql<string | null>`coalesce(${administrators.username}, ${users.username})`,
    })
    .from(statusHistory)
    .innerJoin(giftCards, eq(giftCards.id, statusHistory.giftCardId))
    .leftJoin(
      administrators,
      and(eq(statusHistory.byKind, 'staff'), eq(administrators.id, statusHistory.byId)),
    )
    .leftJoin(
      policies,
      and(eq(policies.id, statusHistory.policyId), eq(policies.version, statusHistory.policyVersion)),
    )
    .leftJoin(users, and(eq(statusHistory.byKind, 'seller'), eq(users.id, statusHistory.byId)))
    .where(and(eq(statusHistory.giftCardId, giftCardId), notCleared))
    .orderBy(asc(statusHistory.version))
}

/** What was done. Entries of earlier versions are named by their statuses. */
export function moveNameOf({
  move,
  fromStatus,
  toStatus,
  byKind,
}: Pick<HistoryRow['entry'], 'move' | 'fromStatus' | 'toStatus' | 'byKind'>): HistoryName {
  if (fromStatus === null) return 'submit'
  return move ?? findMove(fromStatus, toStatus, byKind)?.name ?? 'unknown'
}

/** The key of the email about an entry. */
export function mailKey({ giftCardId, version }: JobPayloads['statusMail']): string {
  return `${giftCardId}:${version}`
}

/** Staff see usernames and the internal status; sellers see only which side moved it, and their own status words. */
export function toHistoryEntry(
  { entry, name, card, photoNames, policy }: HistoryRow,
  reader: Staff | 'seller',
  context: SealingContext,
  t: Translate,
): HistoryAnswer {
  const reason = openReason(context, t, reader, card, entry.version, entry)
  const failure = failureOf({ status: entry.toStatus, reasonCode: entry.reasonCode })
  const word = (status: Status) => (reader === 'seller' ? statusRules[status].sellerStatus : status)
  return {
    from: entry.fromStatus && word(entry.fromStatus),
    to: word(entry.toStatus),
    at: entry.at,
    by: reader === 'seller' ? entry.byKind : (name ?? entry.byKind),
    move: moveNameOf(entry),
    ...(entry.amount !== null && { amount: entry.amount }),
    ...(reason !== null && { reason }),
    ...(failure === 'account' && { needsAccount: true }),
    ...(policy && reader !== 'seller' && { policy }),
    ...(photoNames.length > 0 && { images: photoPaths(photoNames, reader, card) }),
  }
}

/**
 * Adds what happened without a move to the moves of a submission: another account was entered, or the payout came back before it was
 * paid. Oldest first.
 */
export async function withPayoutEvents(
  db: Executor,
  giftCardId: string,
  moves: readonly HistoryAnswer[],
): Promise<HistoryAnswer[]> {
  const { rows } = await db.execute<{ at: string; isChange: boolean }>(sql`
    select at, true as "isChange" from audit_log
    where action = 'payout.account_changed' and not details ? 'move' and subject_id in (
      select ${giftCardId} union all select id::text from payouts where gift_card_id = ${giftCardId}
    )
    union all
    select returned_at, false from payouts
    where gift_card_id = ${giftCardId} and returned_at is not null and paid_at is null`)
  const [submission] = moves
  const events = rows.flatMap((row): HistoryAnswer[] => {
    const at = new Date(row.at)
    const before = moves.findLast((move) => move.at <= at) ?? submission
    if (!submission || !before) return []
    const status = { from: before.to, to: before.to, at }
    return [
      row.isChange
        ? { ...status, by: submission.by, move: 'change_account' }
        : { ...status, by: 'system', move: 'return' },
    ]
  })
  return [...moves, ...events].sort((a, b) => a.at.getTime() - b.at.getTime())
}
