import { eq } from 'drizzle-orm'
import type { Revealed, RevealedPart, StaffList, SubmissionAnswer } from '#contract/staff-submissions.ts'
import { cardDetails, type HistoryAnswer } from '#contract/submissions.ts'
import { BALANCE_CHECK_HOURS } from '#domain/balance.ts'
import { MASK, maskCardNumber } from '#domain/card-number.ts'
import { may } from '#domain/roles.ts'
import { type Move, maySeeCard, UNDO_SECONDS } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { record, recordReveal, wasRecorded } from '#server/features/audit/actions.ts'
import { type EnteredReference, requireUnusedReference } from '#server/features/books/references.ts'
import { notPermitted, type Staff } from '#server/http/actor.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { chatThreads } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { needsSecondPerson, requireNotResubmitted, requireSecondPerson } from '../appeals.ts'
import { listHistory, toHistoryEntry, withPayoutEvents } from '../history.ts'
import { allowedMove, type MoveRequest, makeMove } from '../move.ts'
import { type OpenedPhoto, photoPaths } from '../photos.ts'
import { lockCard, toOffer } from '../queries.ts'
import { erased, openReason, writtenFor } from '../reasons.ts'
import { cardNumberIndex, openSecrets } from '../secrets.ts'
import { toBalanceCheck } from './balance-checks.ts'
import {
  findPayoutFacts,
  findStaffCard,
  listStaffCards,
  lockStaffCard,
  type StaffCardRow,
} from './queries.ts'
import { readRisks, requireSafeApproval } from './risks.ts'
import { requireMayBePaid } from './seller-page/state.ts'

export async function listSubmissions(context: Context, staff: Staff, filter: StaffList) {
  const numberIndex = filter.q ? cardNumberIndex(context.keys, filter.q) : undefined
  const search = { ...filter, role: staff.role, numberIndex, staffId: staff.id }
  const { rows, total } = await listStaffCards(context.db, search)
  return { rows: rows.map((row) => toStaffSubmission(row, context, staff)), total }
}

export async function readSubmission(context: Context, staff: Staff, id: string): Promise<SubmissionAnswer> {
  const row = await findStaffCard(context.db, id)
  if (!row) throw notFound()
  return toWholeSubmission(row, context, staff)
}

export async function readHistory(context: Context, staff: Staff, id: string): Promise<HistoryAnswer[]> {
  const history = await listHistory(context.db, id)
  if (history.length === 0) throw notFound()
  const moves = history.map((row) => toHistoryEntry(row, staff, context, context.words.en))
  return withPayoutEvents(context.db, id, moves)
}

/** If two decide at the same time, the first decision counts; the other gets 409 with what happened. */
export async function moveSubmission(
  context: Context,
  staff: Staff,
  id: string,
  request: MoveRequest & EnteredReference & { undoable?: boolean | undefined },
): Promise<SubmissionAnswer> {
  return transaction(context.db, async (tx) => {
    const locked = await lockStaffCard(tx, id)
    if (!locked) throw notFound()
    const move = await allowedMove(tx, locked.card, 'staff', request)
    requirePermission(context, staff, move)
    await Promise.all([
      move.to === 'completed' && requireMayBePaid(tx, locked.card),
      requireSecondPerson(tx, locked.card, staff, move),
      requireNotResubmitted(tx, locked.card, move),
      requireSafeApproval(tx, context, locked.card, move),
      move.to === 'completed' && requireUnusedReference(tx, id, request),
    ])
    const { moved, statusReason } = await makeMove(tx, context, locked.card, staff, move, {
      text: request.reason,
      amount: request.amount,
      reference: request.reference,
      ...(request.undoable && move.undoable && { mailAfter: UNDO_SECONDS }),
    })
    const row = { ...locked, card: { ...locked.card, ...moved }, statusReason }
    const [facts, whole] = await Promise.all([
      findPayoutFacts(tx, id),
      missingInLists(tx, context, staff, row),
    ])
    return { ...toStaffSubmission({ ...row, ...facts }, context, staff), ...whole }
  })
}

function requirePermission({ site }: Context, staff: Staff, { to, may: capabilities = [] }: Move): void {
  if (!capabilities.some((capability) => may(staff.role, capability))) throw notPermitted(staff)
  if (to === 'completed' && !site.payouts.manual && !may(staff.role, 'pay_by_hand_always')) {
    throw new Refusal('manual_payouts_off', 'refusals.manual_payouts_off')
  }
}

/** The opened secrets that the role may see. Records who revealed what. */
export async function reveal({ db, keys }: Context, staff: Staff, id: string): Promise<Revealed> {
  return transaction(db, async (tx) => {
    const lockedCard = await lockCard(tx, id)
    if (!lockedCard) throw notFound()
    if (lockedCard.secretsErasedAt || !lockedCard.dataKey) throw erased(lockedCard)
    const seesCard = maySeeCard(staff.role, lockedCard.status)
    const seesAccount = may(staff.role, 'reveal_accounts')
    if (!seesCard && !seesAccount) throw notPermitted(staff)
    const {
      cardNumber = null,
      securityCode = null,
      paymentAccountInfo = null,
      paymentRoutingNumber = null,
      paymentAccountNumber = null,
    } = openSecrets(keys, lockedCard, [
      ...(seesCard ? cardSecrets : []),
      ...(seesAccount ? accountSecrets : []),
    ])
    const what: RevealedPart[] = [
      ...(cardNumber === null ? [] : (['card_number'] as const)),
      ...(securityCode === null ? [] : (['pin'] as const)),
      ...(paymentAccountInfo === null ? [] : (['account'] as const)),
    ]
    const subject = { kind: 'submission', id } as const
    const entry = { actor: staff, action: 'submission.revealed', subject, details: { what } } as const
    await recordReveal(tx, entry, lockedCard)
    return { cardNumber, securityCode, paymentAccountInfo, paymentRoutingNumber, paymentAccountNumber }
  })
}

const cardSecrets = ['cardNumber', 'securityCode'] as const
const accountSecrets = ['paymentAccountInfo', 'paymentRoutingNumber', 'paymentAccountNumber'] as const

/** The photos of a submission are one reveal for each person in this time: the desk shows all of them at once. */
const LOOK_HOURS = 24

/**
 * Records who views the photos of a submission, or of a seller in a chat, in any size: even a thumbnail can show the number. Counts
 * against the limit for reveals. Call it before the photo is sent.
 * @param isAhead the desk loads the photo before its submission opens. The audit log has another action for it, and the seller is not
 * shown the entry
 */
export async function recordLook(
  { db }: Context,
  limits: Limits,
  staff: Staff,
  { subject, threadId, isReply }: OpenedPhoto,
  isAhead: boolean,
): Promise<void> {
  if (isReply) return
  const action = threadId ? 'chat.photo_viewed' : 'submission.photo_viewed'
  const look = { actor: staff, action, subject } as const
  if (await wasRecorded(db, look, LOOK_HOURS)) return
  const ahead = { ...look, action: 'submission.photo_loaded_ahead' } as const
  const wasAhead = await wasRecorded(db, ahead, LOOK_HOURS)
  const entry = isAhead && !threadId ? ahead : look
  if (entry === ahead && wasAhead) return
  // What was loaded ahead is counted already.
  if (!wasAhead) await limits.count('reveal', staff.id)
  const isFirst = await transaction(db, async (tx) => {
    const lockedCard = threadId ? undefined : await lockCard(tx, subject.id)
    if (threadId ? !(await lockThread(tx, threadId)) : !lockedCard) throw notFound()
    // Another thumbnail may have been requested at the same time.
    if (await wasRecorded(tx, entry, LOOK_HOURS)) return false
    if (entry === look) await recordReveal(tx, look, lockedCard)
    else await record(tx, { ...ahead, details: { role: staff.role } })
    return true
  })
  if (!isFirst && !wasAhead) await limits.giveBack('reveal', staff.id)
}

async function lockThread(tx: Transaction, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: chatThreads.id })
    .from(chatThreads)
    .where(eq(chatThreads.id, id))
    .for('update')
  return found.length > 0
}

/** Records each download of a photo, which leaves a copy. Counts against the limit for reveals. */
export async function recordDownload(
  { db }: Context,
  limits: Limits,
  staff: Staff,
  { subject, number: photo, threadId, isReply }: OpenedPhoto,
): Promise<void> {
  if (isReply) return
  const action = threadId ? 'chat.photo_downloaded' : 'submission.photo_downloaded'
  await limits.count('reveal', staff.id)
  await transaction(db, (tx) => recordReveal(tx, { actor: staff, action, subject, details: { photo } }))
}

export async function toWholeSubmission(
  row: StaffCardRow,
  context: Context,
  staff: Staff,
): Promise<SubmissionAnswer> {
  const whole = await missingInLists(context.db, context, staff, row)
  return { ...toStaffSubmission(row, context, staff), ...whole }
}

async function missingInLists(
  db: Executor,
  context: Context,
  staff: Staff,
  { card }: Pick<StaffCardRow, 'card'>,
): Promise<Pick<SubmissionAnswer, 'risks' | 'secondPersonNeeded'>> {
  const [risks, needsOther] = await Promise.all([
    may(staff.role, 'see_details') ? readRisks(db, context, staff, card) : null,
    needsSecondPerson(db, card, staff),
  ])
  return { risks, secondPersonNeeded: needsOther || undefined }
}

const noCardDetails = Object.fromEntries(Object.keys(cardDetails).map((name) => [name, null]))

/** What a submission shows to a role that may not see details. */
function withoutDetails(submission: SubmissionAnswer): SubmissionAnswer {
  const { payout, user } = submission
  return {
    ...submission,
    ...noCardDetails,
    images: [],
    imageUrl: [],
    cardNumber: MASK,
    code: MASK,
    securityCode: null,
    pin: null,
    expirationDate: null,
    submissionNotes: null,
    paymentAccountName: '',
    paymentAccountInfo: '',
    paymentRoutingNumber: null,
    paymentAccountNumber: null,
    routingNumberSuspect: false,
    possibleDuplicate: false,
    balanceCheck: null,
    balanceRequest: undefined,
    balanceAskable: undefined,
    policyDecisions: undefined,
    balanceCheckNeeded: false,
    payout: payout && { ...payout, reference: null },
    onHold: false,
    user: { ...user, phoneNumber: null },
  }
}

function toStaffSubmission(
  {
    card,
    seller,
    photoNames,
    statusReason,
    balanceCheck,
    balanceRequest,
    isBalanceAskable,
    policyDecisions,
    payout,
    ...found
  }: StaffCardRow,
  context: Context,
  staff: Staff,
): SubmissionAnswer {
  const paths = photoPaths(photoNames, staff, card)
  const number = maskCardNumber(card.cardNumberLastFour)
  const pin = card.hasSecurityCode ? MASK : null
  const reason = openReason(context, context.words.en, staff, card, card.version, statusReason)
  const submission: SubmissionAnswer = {
    ...card,
    ...found,
    quote: card.sellingPrice,
    images: paths,
    imageUrl: paths,
    cardNumber: number,
    code: number,
    securityCode: pin,
    pin,
    submissionNotes: writtenFor(staff, card.submissionNotes),
    paymentAccountInfo: card.paymentAccountHint,
    paymentRoutingNumber: card.paymentRoutingHint,
    paymentAccountNumber: card.paymentAccountNumberHint,
    paymentAccountType: card.paymentType === 'bank_transfer' ? card.paymentAccountType : null,
    offer: toOffer(card, reason),
    appealed: card.appealedAt !== null,
    statusReason: reason,
    rejectionReason: card.status === 'rejected' ? reason : null,
    risks: null,
    balanceCheck: balanceCheck && toBalanceCheck(context, card, balanceCheck, staff),
    balanceRequest: balanceRequest ?? undefined,
    balanceAskable: isBalanceAskable || undefined,
    policyDecisions: policyDecisions ?? undefined,
    balanceCheckNeeded: isCheckNeeded(context.site, card.denomination, balanceCheck?.at),
    // A void payout means that nothing is owed. For a failed card, it says what failed.
    payout: payout?.state === 'void' && card.status !== 'failed' ? null : payout,
    user: seller,
  }
  return may(staff.role, 'see_details') ? submission : withoutDetails(submission)
}

/** The same as `needsBalanceCheck`, by the clock of this server. */
function isCheckNeeded(
  { balanceCheckAbove: above }: Context['site'],
  faceValue: number,
  checkedAt: Date | undefined,
): boolean {
  if (above === undefined || faceValue <= above) return false
  return !checkedAt || checkedAt.getTime() < Date.now() - BALANCE_CHECK_HOURS * 3600 * 1000
}
