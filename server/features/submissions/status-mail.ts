import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { screens } from '#contract/screens.ts'
import { failureOf } from '#domain/failure.ts'
import { shareOf, toDecimal, toDollars, toPlainDollars } from '#domain/money.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import { arrivalOf, CHANGED_ACCOUNT_HOURS, fileKindOf } from '#domain/payout.ts'
import { adviceFor } from '#domain/resubmission.ts'
import {
  APPEAL_DAYS,
  endedUnpaid,
  type HistoryName,
  OFFER_HOURS,
  type Status,
  statusRules,
} from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { bankReason, deadAccount } from '#server/features/books/dead-accounts.ts'
import { listEntryCards } from '#server/features/books/entries.ts'
import { findLatestPayout, type Payout } from '#server/features/books/payouts.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards, payoutBatches, payouts, statusHistory, users } from '#server/platform/database/schema.ts'
import type { JobPayloads } from '#server/platform/jobs/jobs.ts'
import { dayIn, isAhead, momentIn, weekdayIn } from '#server/platform/mail/dates.ts'
import {
  aboutCard,
  accountFor,
  brandOf,
  cardFacts,
  cardListFacts,
  cardName,
  type Letter,
  listedCard,
  mustConfirm,
  type PushLetter,
  pathOfCard,
  payoutFacts,
  pushedCard,
  recipient,
  worthOf,
} from '#server/platform/mail/letter.ts'
import type { Fact, Said } from '#server/platform/mail/template.ts'
import type { Key } from '#words/keys.ts'
import { paymentMethodIn } from '#words/payment-method.ts'
import type { Translate } from '#words/translate.ts'
import { appealEnd } from './appeals.ts'
import { type ConfirmationRequest, requestConfirmation } from './confirmation-request.ts'
import { moveNameOf } from './history.ts'
import { needsAccount } from './queries.ts'
import { listedCode, openReason } from './reasons.ts'
import { GATHER_SECONDS, isMailedTogether } from './sales.ts'
import { findSameAccount } from './selling/payout-account.ts'

/** The day by which the money for a card should arrive. */
export type FindExpectedDay = (
  context: Context,
  card: { id: string; sellerId: string },
) => Promise<string | undefined>

/** The mail about a move, by its entry in the history, not by the submission's current status. A new one gets a receipt. */
export async function composeStatusMail(
  context: Context,
  { giftCardId, version }: JobPayloads['statusMail'],
  findExpectedDay: FindExpectedDay,
): Promise<Letter | undefined> {
  const found = await findMove(context.db, giftCardId, version)
  if (!found) return undefined
  const { entry, card, to } = found
  const t = context.words[to.locale]
  const payout = await findLatestPayout(context.db, card.id)
  const isPaid = entry.toStatus === 'completed'
  const arrivesOn = isPaid && payout ? await findArrival(context.db, t, payout) : undefined
  if (isPaid && payout?.entryNumber) {
    const cards = await listEntryCards(context.db, payout.entryNumber)
    return composePaymentMail(t, found, payout, cards, arrivesOn)
  }
  const together = await findMovedTogether(context.db, found, payout)
  if (entry.move === 'complete' && payout) {
    const paid = await listPaidLike(context.db, t, payout, together)
    const isPaidStill = paid.some(({ id }) => id === card.id)
    if (isPaidStill && paid[0]?.id !== card.id) return undefined
    if (isPaidStill && paid.length > 1) return composePaymentMail(t, found, payout, paid, arrivesOn)
  } else {
    // The email about the first card names the others too.
    if (together[0] && together[0].card.id !== giftCardId) return undefined
    if (together.length > 1) return composeJointMail(context, together, findExpectedDay)
  }
  const reason = openReason(context, t, 'seller', card, version, entry)
  const said = reason && entry.byKind === 'staff' ? { said: reason, note: teamNote(t, entry) } : undefined
  const waiting = failureIn(entry) === 'account' ? await findSameAccount(context.db, card) : undefined
  const expectedOn = isAwaited(found, payout) ? await findExpectedDay(context, card) : undefined
  const move = {
    ...found,
    said,
    waiting,
    payout,
    arrivesOn,
    expectedOn,
    appealEnd: dayIn(t, appealEnd(entry.at)),
  }
  const words = wordsOf(entry)
  const text = paragraphs[words](move, t)
  const confirmation =
    found.mustConfirm && (entry.toStatus === 'pending' || entry.toStatus === 'processing')
      ? await requestConfirmation(context, card.sellerId, to, pathOfCard(card.id))
      : undefined
  return {
    kind: moveNameOf(entry),
    to,
    sellerId: card.sellerId,
    title:
      entry.toStatus === 'processing' && cannotBePaid(found)
        ? 'mail.start.account.title'
        : words === 'complete' && arrivesOn
          ? 'mail.complete.expected.title'
          : `mail.${words}.title`,
    paragraphs: [
      ...text,
      confirmation && !text.includes(APPROVED) && !text.includes(RECEIVED) && 'mail.confirmToBePaid',
      confirmation?.text,
    ],
    values: {
      card: cardName(t, card, to),
      amount: toDollars(priceOf(move)),
      quote: toDollars(card.quotedPrice),
      end: momentIn(t, offerEnd(entry)),
      hours: CHANGED_ACCOUNT_HOURS,
      status: statusIn(t, entry.toStatus),
      date: arrivesOn ?? '',
      arrival: arrivalIn(t, payout, expectedOn, words === 'submit' ? 'mail.submit.by' : 'mail.start.by'),
    },
    facts: factsOf(t, move),
    ...linksOf(found, confirmation),
  }
}

function linksOf(
  found: Found,
  confirmation: ConfirmationRequest | undefined,
): Pick<Letter, 'button' | 'otherLink'> {
  const { entry, card } = found
  const path = pathOfCard(card.id)
  const isReceipt = entry.toStatus === 'pending' && card.routingNumberSuspect
  const account =
    cannotBePaid(found) || isReceipt ? ({ label: 'mail.payoutReturned.button', path } as const) : undefined
  if (confirmation) {
    const { button } = confirmation
    // The subject is about the account.
    if (account && !isReceipt) return { button: account, otherLink: button }
    const ownPage = button.path === path ? undefined : ({ label: 'mail.status.button', path } as const)
    return { button, otherLink: account ?? ownPage }
  }
  if (account) return { button: account }
  if (entry.toStatus === 'failed') {
    return { button: { label: 'payoutStatus.contact', path: `${path}&chat=${card.id}` } }
  }
  if (entry.toStatus !== 'rejected') return { button: { label: buttonOf(entry), path } }
  const appeal = card.appealedAt ? undefined : ({ label: 'appeal.open', path } as const)
  if (!isFixable(found)) return { button: appeal ?? { label: buttonOf(entry), path } }
  return { button: { label: 'mail.reject.button', path: resubmissionPath(card) }, otherLink: appeal }
}

/** The push about a move that the seller did not make. Undefined if something has happened since. */
export async function composeMovePush(
  { db }: Context,
  t: Translate,
  { giftCardId, version }: JobPayloads['statusMail'],
): Promise<PushLetter | undefined> {
  const found = await findMove(db, giftCardId, version)
  if (!found) return undefined
  const { entry, card, mustConfirm } = found
  const move = entry.move === 'approve' ? 'complete' : entry.move
  const kind = pushedMoves.find((pushed) => pushed === move)
  if (!kind || card.version !== version) return undefined
  const payout = kind === 'complete' ? await findLatestPayout(db, giftCardId) : undefined
  const failure = failureIn(entry)
  return {
    kind,
    text: failure
      ? `push.fail.${failure === 'account' ? 'account' : 'text'}`
      : kind === 'start' && cannotBePaid(found)
        ? 'push.start.account'
        : kind === 'start' && mustConfirm
          ? 'push.start.unconfirmed'
          : undefined,
    values: {
      card: payout?.entryCount ? t('payoutStatus.cards', { count: payout.entryCount }) : pushedCard(t, card),
      amount: toDollars(payout?.entryTotal ?? entry.amount ?? card.sellingPrice),
      hours: OFFER_HOURS,
    },
    ...aboutCard(giftCardId),
  }
}

/** The moves that have texts: all that sellers do not make themselves. */
const pushedMoves = [
  'ask',
  'resume',
  'offer',
  'rescind',
  'expire',
  'start',
  'reject',
  'revert',
  'complete',
  'fail',
  'recheck',
] as const

/**
 * What was found on the card, in cents: before the offer, or by the balance service after the submission. Null if it is not less
 * than the face value.
 */
const balance = sql<number | null>`(
  select case when balance_checks.amount < gift_cards.denomination then balance_checks.amount end from balance_checks
  where balance_checks.gift_card_id = gift_cards.id and case
    when status_history.to_status = 'offered' then balance_checks.at <= status_history.at
    else status_history.from_status is null and balance_checks.source = 'connector'
  end
  order by balance_checks.id desc limit 1
)`.mapWith((amount) => (amount === null ? null : Number(amount)))

async function findMove(db: Executor, giftCardId: string, version: number) {
  const [row] = await selectMoves(db)
    .where(and(eq(statusHistory.giftCardId, giftCardId), eq(statusHistory.version, version)))
    .prepare('move_for_mail')
    .execute()
  return row
}

function selectMoves(db: Executor) {
  return db
    .select({
      entry: statusHistory,
      card: giftCards,
      to: recipient,
      mustConfirm,
      balance,
      needsAccount,
      deadAccount: deadAccount(),
    })
    .from(statusHistory)
    .innerJoin(giftCards, eq(giftCards.id, statusHistory.giftCardId))
    .innerJoin(users, eq(users.id, giftCards.sellerId))
}

type Found = NonNullable<Awaited<ReturnType<typeof findMove>>>
type Entry = Found['entry']
type Move = Found & {
  /** The reason or question of staff. */
  readonly said: Said | undefined
  /** Other cards that need another account because the account of this one failed. */
  readonly waiting: { readonly count: number; readonly amount: number } | undefined
  /** How an approved submission is or was paid. */
  readonly payout: Payout | undefined
  /** The day on which a sent payout should arrive, if it is still ahead. */
  readonly arrivesOn: string | undefined
  /** The day by which a payout that is not sent yet should arrive. */
  readonly expectedOn: string | undefined
  /** The last day of an appeal against a rejection. */
  readonly appealEnd: string
}

/** Whether the money waits only for us. */
function isAwaited({ entry, card, balance, mustConfirm }: Found, payout: Payout | undefined): boolean {
  if (mustConfirm || card.routingNumberSuspect) return false
  return entry.toStatus === 'processing'
    ? payout?.state === 'due'
    : moveNameOf(entry) === 'submit' && balance === null
}

async function findArrival(db: Executor, t: Translate, { batchId }: Payout): Promise<string | undefined> {
  if (batchId === null) return undefined
  const [batch] = await db
    .select({ expectedOn: payoutBatches.expectedOn })
    .from(payoutBatches)
    .where(eq(payoutBatches.id, batchId))
  return batch?.expectedOn && isAhead(batch.expectedOn) ? weekdayIn(t, batch.expectedOn) : undefined
}

/** Whether the seller can submit the rejected card again. Its brand is in the link, so it has to be one that may be named. */
function isFixable({ entry, card, to }: Found): boolean {
  return entry.toStatus === 'rejected' && adviceFor(listedCode(entry)).canHelp && brandOf(card, to) !== ''
}

/** The form computes the quote. */
function resubmissionPath({ id, brand, denomination }: Found['card']): string {
  const query = { brand, value: toDecimal(denomination), resubmissionOf: id }
  return `${screens.sellCard.path}?${new URLSearchParams(query)}`
}

/** What the seller does on the page of the card. */
function buttonOf({ toStatus }: Entry): Key {
  if (toStatus === 'under_review') return 'mail.ask.button'
  return toStatus === 'offered' ? 'mail.offer.button' : 'mail.status.button'
}

/**
 * The same move of other cards of the sale, or of the batch if they were paid in one, made soon enough for one email. In order, without
 * moves that were taken back. Approved cards share an email if they are paid to the same account.
 */
async function findMovedTogether(
  db: Executor,
  { entry, card }: Found,
  payout: Payout | undefined,
): Promise<Found[]> {
  const { move } = entry
  if (move === null || !isMailedTogether(move)) return []
  const batchId = move === 'complete' ? payout?.batchId : undefined
  if (!batchId && !card.saleId) return []
  const rows = await selectMoves(db)
    .where(
      and(
        batchId
          ? sql`${giftCards.id} in (select gift_card_id from payouts where batch_id = ${batchId} and seller_id = ${card.sellerId})`
          : eq(giftCards.saleId, card.saleId ?? ''),
        eq(statusHistory.move, move),
        move === 'start'
          ? and(
              eq(giftCards.paymentType, card.paymentType),
              eq(giftCards.paymentAccountHint, card.paymentAccountHint),
            )
          : undefined,
        sql`not exists (select from status_history undone where undone.gift_card_id = ${statusHistory.giftCardId}
          and undone.version = ${statusHistory.version} + 1 and undone.move = 'undo')`,
      ),
    )
    .orderBy(asc(statusHistory.at), asc(giftCards.salePosition))
  let group: Found[] = []
  const isFound = (row: Found) => row.card.id === card.id && row.entry.version === entry.version
  for (const row of rows) {
    const start = group[0]?.entry.at.getTime()
    if (start !== undefined && row.entry.at.getTime() < start + GATHER_SECONDS * 1000) group.push(row)
    else if (group.some(isFound)) break
    else group = [row]
  }
  return group
}

/** One email about several cards of a sale that were approved or rejected. */
async function composeJointMail(
  context: Context,
  moves: readonly Found[],
  findExpectedDay: FindExpectedDay,
): Promise<Letter | undefined> {
  const [first] = moves
  const last = moves.at(-1)
  if (!first || !last) return undefined
  const { entry, to } = first
  const t = context.words[to.locale]
  const name = entry.move === 'reject' ? 'reject' : 'start'
  const confirmation =
    name === 'start' && first.mustConfirm
      ? await requestConfirmation(context, first.card.sellerId, to, screens.account.path)
      : undefined
  const isUnpayable = name === 'start' && cannotBePaid(first)
  const payouts = await Promise.all(moves.map(({ card }) => findLatestPayout(context.db, card.id)))
  const [firstPayout] = payouts
  const isPayable = name === 'start' && isAwaited(first, firstPayout)
  // Money for the last one arrives last.
  const expectedOn = isPayable ? await findExpectedDay(context, last.card) : undefined
  const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
  const cards = moves.map(({ card }) => card)
  const price = total(cards.map(({ sellingPrice }) => sellingPrice))
  const deducted = total(payouts.map((payout) => payout?.deducted ?? 0))
  const reasons = moves.map(({ entry, card }) => ({
    said: [listedCard(card, to), openReason(context, t, 'seller', card, entry.version, entry)]
      .filter(Boolean)
      .join(': '),
    note: teamNote(t, entry),
  }))
  const action = isUnpayable
    ? ({ label: 'mail.payoutReturned.button', path: screens.account.path } as const)
    : ({
        label: 'mail.saleReceipt.button',
        path: name === 'reject' ? '/transactions' : '/processing',
      } as const)
  return {
    kind: name,
    to,
    sellerId: first.card.sellerId,
    title: isUnpayable ? 'mail.start.account.title' : `mail.together.${name}.title`,
    paragraphs:
      name === 'reject'
        ? ['mail.reject.reason', ...reasons, 'mail.together.reject.text', 'mail.together.reject.next']
        : [
            ...payable(t, first, 'mail.start.text'),
            isUnpayable && confirmation && 'mail.confirmToBePaid',
            confirmation?.text,
            deducted > 0 && [
              'payoutStatus.deducted',
              { sent: toDollars(price - deducted), amount: toDollars(deducted) },
            ],
          ],
    values: {
      count: moves.length,
      amount: toDollars(price),
      days: APPEAL_DAYS,
      appealEnd: dayIn(t, appealEnd(entry.at)),
      hours: CHANGED_ACCOUNT_HOURS,
      arrival: arrivalIn(t, firstPayout, expectedOn),
    },
    facts:
      name === 'reject'
        ? []
        : [
            ...cardListFacts(
              t,
              cards.map((card) => ({ ...card, amount: card.sellingPrice })),
              to,
            ),
            {
              label: t('mail.fact.youReceive'),
              value: toDollars(price),
              share: (100 * price) / worthOf(cards),
            },
            ...(firstPayout ? [payoutFacts(t, firstPayout, to)[0]] : []),
            ...(expectedOn ? [expectedFact(t, expectedOn)] : []),
          ],
    ...(confirmation && !isUnpayable
      ? { button: confirmation.button, otherLink: action }
      : { button: action, otherLink: confirmation?.button }),
  }
}

/** The cards of these moves that were paid in the same way as this payout, each in its own payment. */
async function listPaidLike(db: Executor, t: Translate, payout: Payout, moves: readonly Found[]) {
  const ids = moves.map(({ card }) => card.id)
  const { batchId, byHand, paymentType, accountHint } = payout
  const paid = await db
    .select()
    .from(payouts)
    .where(
      and(
        inArray(payouts.giftCardId, ids),
        batchId ? eq(payouts.batchId, batchId) : isNull(payouts.batchId),
        eq(payouts.state, 'paid'),
        eq(payouts.byHand, byHand),
        eq(payouts.paymentType, paymentType),
        eq(payouts.accountHint, accountHint),
        isNull(payouts.entryNumber),
      ),
    )
  return moves.flatMap(({ card, to }) => {
    const own = paid.find(({ giftCardId }) => giftCardId === card.id)
    return own
      ? [{ ...card, amount: own.amount, deducted: own.deducted, confirmation: payoutFacts(t, own, to)[2] }]
      : []
  })
}

/** One email about several cards that were paid in one payment, or as the payouts of one sale at the same time. */
function composePaymentMail(
  t: Translate,
  { entry, card, to }: Found,
  payout: Payout,
  cards: Awaited<ReturnType<typeof listEntryCards>>,
  arrivesOn: string | undefined,
): Letter {
  const count = cards.length
  const amount = cards.reduce((sum, paid) => sum + paid.amount, 0)
  const deducted = cards.reduce((sum, paid) => sum + paid.deducted, 0)
  const isOnePayment = payout.entryNumber !== null
  const [method, ...references] = payoutFacts(t, payout, to)
  return {
    kind: moveNameOf(entry),
    to,
    sellerId: card.sellerId,
    title: arrivesOn ? 'mail.complete.expected.title' : 'mail.complete.title',
    paragraphs: [
      sentKey({ ...payout, amount }, arrivesOn),
      !isOnePayment && ['mail.payoutSent.payments', { count }],
      deduction({ amount, deducted }),
    ],
    values: {
      card: t('payoutStatus.cards', { count }),
      amount: toDollars(amount),
      date: arrivesOn ?? '',
    },
    facts: [
      ...cardListFacts(t, cards, to),
      {
        label: t(paidLabel(payout, arrivesOn)),
        value: toDollars(amount),
        share: (100 * amount) / worthOf(cards),
      },
      method,
      ...(isOnePayment ? references : []),
      ...paidOn(t, payout),
    ],
    button: { label: 'mail.saleReceipt.button', path: '/transactions' },
  }
}

// These ask to confirm the email, so `confirmToBePaid` does not follow.
const APPROVED = 'mail.start.unconfirmed' satisfies Key
const RECEIVED = 'mail.submit.unconfirmed' satisfies Key

type Words =
  | Exclude<HistoryName, 'approve' | 'revert' | 'return' | 'change_account' | 'undo' | 'unknown'>
  | `revert.${'completed' | 'failed' | 'rejected'}`
  | 'status'

/** Which texts a move has. */
function wordsOf(entry: Entry): Words {
  const name = moveNameOf(entry)
  if (name === 'approve') return 'complete'
  if (name === 'return' || name === 'change_account' || name === 'undo' || name === 'unknown') return 'status'
  if (name !== 'revert') return name
  const { fromStatus: from } = entry
  return `revert.${from === 'completed' || from === 'failed' ? from : 'rejected'}`
}

const paragraphs: Readonly<Record<Words, (move: Move, t: Translate) => Letter['paragraphs']>> = {
  submit: ({ card, balance, mustConfirm }) => [
    balance === null
      ? mustConfirm
        ? RECEIVED
        : 'mail.submit.text'
      : ['confirmation.balance.lower', { quote: toDollars(card.quotedPrice), amount: toDollars(balance) }],
    card.routingNumberSuspect ? 'payoutStatus.routingNumber.now' : !mustConfirm && 'mail.submit.next',
  ],
  start: (move, t) => [...payable(t, move, 'mail.start.text'), deduction(move.payout)],
  ask: ({ said }) => [said && 'mail.ask.question', said, 'mail.ask.text'],
  answer: ({ said }) => ['mail.answer.text', said],
  resume: ({ said }) => ['mail.resume.text', said],
  appeal: ({ said }) => ['mail.appeal.text', said],
  offer: (move) => ['mail.offer.text', move.said, reckoning(move), 'mail.offer.next'],
  accept: (move, t) => [...payable(t, move, 'mail.accept.text'), deduction(move.payout)],
  rescind: ({ said }) => ['mail.rescind.text', said],
  decline: ({ said }) => ['mail.decline.text', said],
  expire: ({ said }) => ['mail.expire.text', said],
  withdraw: ({ said }) => ['mail.withdraw.text', said],
  reject: ({ said, card, entry, appealEnd }) => [
    said && 'mail.reject.reason',
    said,
    'mail.reject.text',
    [
      'mail.reject.next',
      {
        again: adviceFor(listedCode(entry)).canHelp ? 'yes' : 'no',
        appeal: card.appealedAt ? 'no' : 'yes',
        days: APPEAL_DAYS,
        appealEnd,
      },
    ],
  ],
  // The seller of a batch was told when its file was sent. A worksheet is paid one by one.
  complete: ({ payout, arrivesOn }) => [sentKey(payout, arrivesOn), deduction(payout)],
  fail: ({ said, waiting }) => [
    said,
    ...(waiting
      ? (['payoutStatus.safe', 'mail.payoutReturned.account'] as const)
      : (['mail.fail.text'] as const)),
    waiting !== undefined &&
      waiting.count > 0 && ['mail.fail.waiting', { count: waiting.count, amount: toDollars(waiting.amount) }],
  ],
  recheck: () => ['mail.recheck.text'],
  'revert.completed': (move, t) => [
    'mail.revert.completed.text',
    ...payable(t, move, 'mail.start.text'),
    deduction(move.payout),
  ],
  'revert.failed': (move, t) => [...payable(t, move, 'mail.revert.failed.text'), deduction(move.payout)],
  'revert.rejected': (move, t) => [...payable(t, move, 'mail.revert.rejected.text'), deduction(move.payout)],
  status: ({ said }) => [said],
}

/** Tells readers of other languages why a text may be in English. */
function teamNote(t: Translate, entry: Entry): string | undefined {
  const isTheirs = t.locale !== 'en' && entry.sealedReason !== null && !listedCode(entry)
  return isTheirs ? t('processing.writtenByTeam') : undefined
}

const failureIn = (entry: Entry) => failureOf({ status: entry.toStatus, reasonCode: listedCode(entry) })

/** Whether the seller has to enter another account for an approved or failed card. */
const cannotBePaid = ({ entry, needsAccount }: Found): boolean =>
  failureIn(entry) === 'account' || (entry.toStatus === 'processing' && needsAccount)

/** What the seller is offered, was paid or will be paid, in cents. */
function priceOf({ entry, card, payout }: Move): number {
  const isPaid = entry.toStatus === 'completed'
  return (isPaid ? payout?.amount : undefined) ?? entry.amount ?? card.sellingPrice
}

/** What an approved card's payout waits for, or else this text. */
function payable(t: Translate, found: Found, text: Key): Letter['paragraphs'] {
  if (!cannotBePaid(found)) return [found.mustConfirm ? APPROVED : text]
  const { card, deadAccount, to } = found
  const account = {
    method: paymentMethodIn(t, card.paymentType as PaymentType),
    account: accountFor(t, to, card.paymentAccountHint),
  }
  return [
    'payoutStatus.safe',
    card.routingNumberSuspect ? 'payoutStatus.routingNumber' : ['payoutStatus.cannotPay', account],
    deadAccount && ['payoutStatus.returned.reason', { reason: bankReason(t, deadAccount) }],
    'mail.accountRefused.account',
  ]
}

/** How the offer follows from the balance that was found, if it does. */
function reckoning({ balance, card, entry }: Move): Letter['paragraphs'][number] {
  const rate = 10_000 - card.discountPercentage
  if (balance === null || shareOf(balance, rate) !== entry.amount) return undefined
  const values = {
    balance: toDollars(balance),
    rate: `${toPlainDollars(rate)}%`,
    amount: toDollars(entry.amount),
  }
  return ['processing.offer.balance', values]
}

/** When an approved card's payout leaves, if its account was changed, and when the money should arrive. */
function arrivalIn(
  t: Translate,
  payout: Payout | undefined,
  expectedOn: string | undefined,
  text: Key = 'mail.start.by',
): string {
  const waits =
    payout?.state === 'due' && payout.batchableAt > payout.dueAt && payout.batchableAt > new Date()
  return [
    waits && t('mail.start.waits', { date: momentIn(t, payout.batchableAt) }),
    expectedOn && t(text, { date: weekdayIn(t, expectedOn) }),
  ]
    .filter(Boolean)
    .join(' ')
}

function deduction(payout: Pick<Payout, 'amount' | 'deducted'> | undefined): Letter['paragraphs'][number] {
  if (!payout || payout.deducted <= 0) return undefined
  const values = { sent: toDollars(payout.amount), amount: toDollars(payout.deducted) }
  return ['payoutStatus.deducted', values]
}

function sentKey(payout: Payout | undefined, arrivesOn: string | undefined): Key {
  if (payout?.amount === 0) return 'mail.complete.nothing'
  // The statement of the sender has the payment before the recipient has the money.
  if (arrivesOn) return 'mail.complete.expected'
  const isFromFile = payout !== undefined && !payout.byHand && fileKindOf(payout.paymentType) !== 'worksheet'
  return isFromFile ? 'mail.complete.arrived' : 'mail.complete.sent'
}

/** Money that arrives later was only sent. */
function paidLabel(payout: Payout | undefined, arrivesOn: string | undefined): Key {
  const isSlow =
    payout &&
    sentKey(payout, arrivesOn) === 'mail.complete.sent' &&
    arrivalOf(payout.paymentType) !== 'same_day'
  return arrivesOn || isSlow ? 'mail.fact.sentToYou' : 'mail.fact.youReceived'
}

function offerEnd({ at }: Entry): Date {
  return new Date(at.getTime() + OFFER_HOURS * 3_600_000)
}

function statusIn(t: Translate, status: Status): string {
  return t(`statuses.label.${statusRules[status].sellerStatus}`)
}

function factsOf(t: Translate, move: Move): Fact[] {
  const { entry, card, payout, expectedOn, to } = move
  const [name, reference] = cardFacts(t, card, to)
  const [method, ...payoutReferences] = payout ? payoutFacts(t, payout, to) : []
  const isPaid = entry.toStatus === 'completed'
  return [
    name,
    ...prices(t, move),
    ...(method && (isPaid || entry.toStatus === 'processing' || move.waiting) ? [method] : []),
    ...(payout && isPaid ? [...payoutReferences, ...paidOn(t, payout)] : []),
    ...(expectedOn && entry.toStatus === 'processing' ? [expectedFact(t, expectedOn)] : []),
    {
      label: t('mail.fact.status'),
      value: cannotBePaid(move) ? t('payoutStatus.badge.account') : statusIn(t, entry.toStatus),
    },
    reference,
  ]
}

const paidOn = (t: Translate, { paidAt }: Payout): Fact[] =>
  paidAt ? [{ label: t('account.receipt.date'), value: dayIn(t, paidAt) }] : []

const expectedFact = (t: Translate, day: string): Fact => ({
  label: t('mail.fact.expected'),
  value: weekdayIn(t, day),
})

/** What was quoted, what is offered, and what the seller receives. Only the quote of a rejected card. */
function prices(t: Translate, move: Move): Fact[] {
  const { entry, card, payout } = move
  const quote = { label: t('mail.fact.quote'), value: toDollars(card.quotedPrice) }
  if (entry.toStatus === 'rejected') return [quote]
  if (endedUnpaid(entry.toStatus)) return []
  const price = { value: toDollars(priceOf(move)), share: (100 * priceOf(move)) / card.denomination }
  if (entry.toStatus === 'offered') {
    return [
      quote,
      ...(move.balance === null ? [] : [{ label: t('mail.fact.balance'), value: toDollars(move.balance) }]),
      { label: t('mail.fact.offer'), ...price },
      { label: t('mail.fact.offerEnds'), value: momentIn(t, offerEnd(entry)) },
    ]
  }
  if (moveNameOf(entry) === 'submit' && move.balance !== null) return [quote]
  const isOpen = entry.toStatus === 'pending' || entry.toStatus === 'under_review'
  if (isOpen) return [{ ...quote, ...price, inReview: true }]
  const receive = {
    label: t(entry.toStatus === 'completed' ? paidLabel(payout, move.arrivesOn) : 'mail.fact.youReceive'),
    ...price,
  }
  return moveNameOf(entry) === 'accept' ? [quote, receive] : [receive]
}
