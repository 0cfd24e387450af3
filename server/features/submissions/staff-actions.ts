import type { Revealed, StaffList, StaffSubmission } from '#contract/staff-submissions.ts'
import type { HistoryEntry } from '#contract/submissions.ts'
import type { Context } from '#server/context.ts'
import { type AuditEntry, record, wasRecorded } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { ReadPhoto, Rows } from './actions.ts'
import { allowedMove, type MoveRequest, makeMove } from './move.ts'
import * as queries from './queries.ts'
import { cardNumberIndex, openSecrets } from './secrets.ts'
import { findStaffCard, listStaffCards, lockStaffCard } from './staff-queries.ts'
import { toHistoryEntry, toStaffSubmission } from './views.ts'

export async function listSubmissions(context: Context, filter: StaffList): Promise<Rows<StaffSubmission>> {
  const search = { ...filter, ...(filter.q && { numberIndex: cardNumberIndex(context.keys, filter.q) }) }
  const { rows, total } = await listStaffCards(context.db, search)
  return { rows: rows.map((row) => toStaffSubmission(row, context)), total }
}

export async function readSubmission(context: Context, id: string): Promise<StaffSubmission> {
  const row = await findStaffCard(context.db, id)
  if (!row) throw notFound()
  return toStaffSubmission(row, context)
}

export async function readHistory(context: Context, id: string): Promise<HistoryEntry[]> {
  const history = await queries.listHistory(context.db, id)
  if (history.length === 0) throw notFound()
  return history.map((row) => toHistoryEntry(row, 'staff', context))
}

/** Of two who press a button at the same time one wins; the other is told what it has become. */
export async function moveSubmission(
  context: Context,
  staff: Staff,
  id: string,
  request: MoveRequest,
): Promise<StaffSubmission> {
  return transaction(context.db, async (tx) => {
    const locked = await lockStaffCard(tx, id)
    if (!locked) throw notFound()
    const move = await allowedMove(tx, locked.card, 'staff', request)
    const { moved, statusReason } = await makeMove(tx, context, locked.card, staff, move, request.reason)
    const card = { ...locked.card, ...moved, updatedAt: moved.updatedAt.toISOString() }
    return toStaffSubmission({ ...locked, card, statusReason }, context)
  })
}

/** The sealed values; who looked and when is written down before they leave. */
export async function reveal({ db, keys }: Context, staff: Staff, id: string): Promise<Revealed> {
  return transaction(db, async (tx) => {
    const lockedCard = await queries.lockCard(tx, id)
    if (!lockedCard) throw notFound()
    if (lockedCard.secretsErasedAt || !lockedCard.dataKey) throw erased(lockedCard)
    await record(tx, { actor: staff, action: 'submission.revealed', subject: { kind: 'submission', id } })
    const opened = openSecrets(keys, lockedCard, [
      'cardNumber',
      'securityCode',
      'paymentAccountInfo',
      'paymentRoutingNumber',
      'paymentAccountNumber',
    ])
    return {
      cardNumber: opened.cardNumber ?? '',
      securityCode: opened.securityCode ?? null,
      paymentAccountInfo: opened.paymentAccountInfo ?? '',
      paymentRoutingNumber: opened.paymentRoutingNumber ?? null,
      paymentAccountNumber: opened.paymentAccountNumber ?? null,
    }
  })
}

/** Going back and forth between the photos of a submission for this long is one view of each. */
const VISIT_MINUTES = 15

/** Writes down, before a full-size photo leaves, who looked at it: it shows the number, so it counts as a reveal. */
export async function recordPhoto(
  { db }: Context,
  limits: Limits,
  staff: Staff,
  { submissionId, number }: ReadPhoto,
  how: 'viewed' | 'downloaded',
): Promise<void> {
  const entry: AuditEntry = {
    actor: staff,
    action: `submission.photo_${how}`,
    subject: { kind: 'submission', id: submissionId },
    details: { photo: number },
  }
  if (how === 'viewed' && (await wasRecorded(db, entry, VISIT_MINUTES))) return
  await limits.count('reveal', staff.id)
  await transaction(db, (tx) => record(tx, entry))
}

function erased({ secretsErasedAt }: queries.CardRow): Refusal {
  const when = secretsErasedAt ? ` on ${secretsErasedAt.toISOString().slice(0, 10)}` : ''
  return new Refusal('erased', `Number, PIN and payout account of this submission were erased${when}`)
}
