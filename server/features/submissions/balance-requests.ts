import { setTimeout as sleep } from 'node:timers/promises'
import { eq, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { type BalanceAnswer, type BalanceQuestion, balanceAnswer } from '#contract/balance-connectors.ts'
import type { BalanceRequestAnswer } from '#contract/staff-submissions.ts'
import type { OwnSubmissionAnswer } from '#contract/submissions.ts'
import { BALANCE_WAIT_SECONDS, type BalanceOutcome, maxBalance } from '#domain/balance.ts'
import { normalizeCardNumber } from '#domain/card-number.ts'
import { toDecimal } from '#domain/money.ts'
import { isFinal, openStatuses } from '#domain/submission.ts'
import type { Context } from '#server/context.ts'
import { type AuditActor, record } from '#server/features/audit/actions.ts'
import { findConnector } from '#server/features/balance-connectors/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { executePrepared, jsonObject } from '#server/platform/database/queries.ts'
import { administrators, balanceChecks, balanceRequests, policies } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueue, enqueueMany } from '#server/platform/jobs/jobs.ts'
import { publish } from '#server/platform/live/publish.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { askSigned, PostError } from '#server/platform/webhooks/signed-post.ts'
import { decidesOn } from './policies/queries.ts'
import { type CardRow, lockCard, statusList } from './queries.ts'
import { sendWaitingReceipt } from './sales.ts'
import { openSecrets } from './secrets.ts'

/** Runs of one job. It runs again only if its server died in between. */
const MAX_RUNS = 3
/** Calls of one run. */
const MAX_CALLS = 2
const RETRY_AFTER_MS = 1000

/** Whether a card can be asked about, for queries of gift_cards: its brand has a connector, and it is open and has a number. */
export const isAskable = sql<boolean>`(
  gift_cards.status in (${statusList(openStatuses)})
  and gift_cards.data_key is not null and gift_cards.card_number_last_four is not null
  and exists (select from balance_connectors where balance_connectors.brand = gift_cards.brand and not paused)
)`

/** A column: the latest question about a card. */
export const latestRequest = jsonObject<BalanceRequestAnswer & { amount: number | null }>(
  sql`(
    select json_build_object(
      'state', coalesce(outcome, case when ${isWaiting()} then 'asking' else 'late' end),
      'askedAt', asked_at, 'amount', amount
    )
    from balance_requests where balance_requests.gift_card_id = gift_cards.id order by balance_requests.id desc limit 1
  )`,
  'askedAt',
)

/** What the service found on a pending card, in cents, if it is less than the face value. The quote is then no promise. */
export const lowerBalance = sql<number | null>`(
  select case when outcome = 'ok' and amount < gift_cards.denomination then amount end
  from balance_requests where balance_requests.gift_card_id = gift_cards.id and gift_cards.status = 'pending'
  order by balance_requests.id desc limit 1
)`.mapWith(balanceRequests.amount)

export const hasLess = sql<boolean>`(${lowerBalance} is not null)`

function isWaiting(): SQL {
  return sql`outcome is null and asked_at > now() - interval '${sql.raw(String(BALANCE_WAIT_SECONDS))} seconds'`
}

/** What the seller of a pending card reads of the question. */
export function toSellerBalance(
  { status }: Pick<CardRow, 'status'>,
  request: (BalanceRequestAnswer & { amount: number | null }) | null,
): OwnSubmissionAnswer['balanceCheck'] {
  if (!request || status !== 'pending' || request.state === 'skipped') return undefined
  const { state, amount } = request
  if (state === 'ok') return { state: 'found', amount }
  return { state: state === 'asking' ? 'checking' : 'by_person', amount: null }
}

/** Asks about a new card, if its brand has a connector. Returns whether it does. */
export async function askBalance(
  tx: Transaction,
  giftCardId: string,
  { byId = null, beforePayout = false }: { byId?: string | null; beforePayout?: boolean } = {},
): Promise<boolean> {
  const id = uuidv7()
  const { rowCount } = await executePrepared(
    tx,
    'ask_balance',
    sql`
    insert into balance_requests (id, gift_card_id, by_id, before_payout)
    select ${id}::uuid, gift_cards.id, ${byId}::uuid, ${beforePayout} from gift_cards where gift_cards.id = ${giftCardId} and ${isAskable}`,
  )
  if (!rowCount) return false
  await enqueue(tx, 'askBalance', id, { requestId: id })
  return true
}

/** Asks again for a reviewer. While a question waits for its answer, nothing more is asked. */
export async function askBalanceAgain({ db }: Context, staff: Staff, giftCardId: string): Promise<void> {
  await transaction(db, async (tx) => {
    const card = await lockCard(tx, giftCardId)
    if (!card) throw notFound()
    const { rowCount: waiting } = await tx.execute(
      sql`select from balance_requests where gift_card_id = ${giftCardId} and ${isWaiting()}`,
    )
    if (waiting) return
    const asked = await askBalance(tx, giftCardId, { byId: staff.id })
    if (!asked) throw new Refusal('balance_not_askable', 'refusals.balance_not_askable')
    await announce(tx, card)
  })
}

/**
 * Asks the brand's connector about a card and records the answer. No transaction is open while it asks. If the server dies in
 * between, the job runs again, so a service may be asked twice.
 */
export async function answerBalanceRequest(
  context: Context,
  { requestId }: { requestId: string },
): Promise<void> {
  const question = await transaction(context.db, (tx) => beginQuestion(tx, context, requestId))
  if (!question) return
  for (let call = 1; ; call++) {
    await transaction(context.db, (tx) => recordCall(tx, question, call))
    const { answer, canRetry = false } = await ask(question, context)
    if (canRetry && call < MAX_CALLS) {
      await sleep(RETRY_AFTER_MS)
      continue
    }
    await transaction(context.db, (tx) => closeRequest(tx, question.request, answer))
    return
  }
}

type RequestRow = Pick<typeof balanceRequests.$inferSelect, 'id' | 'giftCardId' | 'beforePayout'>

interface Question {
  readonly request: RequestRow
  readonly actor: AuditActor
  readonly url: URL
  readonly message: { readonly id: string; readonly body: string; readonly secrets: readonly string[] }
  readonly hasPin: boolean
  readonly maximum: number
}

/** Counts the run and opens number and PIN. Closes the request instead if there is nothing to ask. */
async function beginQuestion(tx: Transaction, context: Context, id: string): Promise<Question | undefined> {
  const [found] = await tx
    .select({ request: balanceRequests, by: { id: administrators.id, username: administrators.username } })
    .from(balanceRequests)
    .leftJoin(administrators, eq(administrators.id, balanceRequests.byId))
    .where(eq(balanceRequests.id, id))
  if (!found || found.request.outcome !== null) return undefined
  const { request, by } = found
  const close = async (status: BalanceOutcome & ('skipped' | 'interrupted')) => {
    await closeRequest(tx, request, { status })
    return undefined
  }
  const card = await lockCard(tx, request.giftCardId)
  // Nobody needs an automatic answer once the card is approved. A reviewer may ask before it is paid, and so does an automatic payment.
  const isForPayout = by !== null || request.beforePayout
  if (!card || isFinal(card.status) || (card.status === 'processing' && !isForPayout)) return close('skipped')
  if (request.attempts >= MAX_RUNS) return close('interrupted')
  const connector = await findConnector(tx, context.keys, card.brand)
  const { cardNumber, securityCode = null } = openNumbers(context, card)
  if (!connector || cardNumber === undefined) return close('skipped')
  await tx.update(balanceRequests).set({ attempts: sql`attempts + 1` }).where(eq(balanceRequests.id, id))
  const body: BalanceQuestion = {
    type: 'balance.check',
    timestamp: new Date().toISOString(),
    data: {
      id: card.id,
      brand: card.brand,
      number: normalizeCardNumber(cardNumber),
      pin: securityCode && normalizeCardNumber(securityCode),
    },
  }
  return {
    request,
    actor: by ? { kind: 'staff', ...by } : { kind: 'system' },
    url: connector.url,
    message: { id, body: JSON.stringify(body), secrets: connector.secrets },
    hasPin: securityCode !== null,
    maximum: maxBalance(card.denomination),
  }
}

function openNumbers({ keys, log }: Context, card: CardRow) {
  try {
    return openSecrets(keys, card, ['cardNumber', 'securityCode'])
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, submission: card.id }, 'cannot open the number of a submission')
    return {}
  }
}

/** Records a call before it is made. The seller reads it under "Who looked". */
function recordCall(tx: Transaction, { actor, url, request, hasPin }: Question, call: number): Promise<void> {
  return record(tx, {
    actor,
    action: 'submission.balance_asked',
    subject: { kind: 'submission', id: request.giftCardId },
    details: {
      host: url.host,
      call,
      what: ['card_number', ...(hasPin ? ['pin'] : [])],
      role: 'balance_service',
    },
  })
}

type Answer = BalanceAnswer | { readonly status: Exclude<BalanceOutcome, 'ok'> }

/** Calls the service once. */
async function ask(
  { url, message, maximum }: Question,
  { site }: Context,
): Promise<{ answer: Answer; canRetry?: boolean }> {
  try {
    const options = { allowPrivate: site.webhooksAllowPrivate ?? false, isSecret: true }
    const { status, body } = await askSigned(url, message, options)
    if (status < 200 || status > 299) {
      const isRefused = status === 401 || status === 403
      return {
        answer: { status: isRefused ? 'signature_refused' : 'http_error' },
        canRetry: status >= 500 || status === 429,
      }
    }
    const parsed = balanceAnswer.safeParse(parseJson(body))
    const isTooHigh = parsed.data?.status === 'ok' && parsed.data.amount > maximum
    return { answer: parsed.success && !isTooHigh ? parsed.data : { status: 'bad_answer' } }
  } catch (error) {
    if (!(error instanceof PostError)) throw error
    const status = outcomeOf(error)
    return { answer: { status }, canRetry: status === 'timeout' || status === 'unreachable' }
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The outcome of a call that got no answer. Node names errors of certificates in many ways, but never like errors of the system. */
function outcomeOf({ code }: PostError): Exclude<BalanceOutcome, 'ok'> {
  if (code === 'timeout') return 'timeout'
  if (code === 'no_such_host') return 'no_host'
  if (code === 'private_address' || code === 'not_https') return 'address_refused'
  if (code === 'answer_too_long' || code.startsWith('HPE_')) return 'bad_answer'
  return /CERT|SIGNATURE|ERR_TLS|ERR_SSL/.test(code) ? 'certificate' : 'unreachable'
}

/** Records the answer to a question. A balance becomes a balance check without a person. */
async function closeRequest(
  tx: Transaction,
  { id, giftCardId, beforePayout }: RequestRow,
  answer: Answer,
): Promise<void> {
  const card = await lockCard(tx, giftCardId)
  const amount = answer.status === 'ok' ? answer.amount : null
  const closed = await tx
    .update(balanceRequests)
    .set({ outcome: answer.status, amount })
    .where(sql`${eq(balanceRequests.id, id)} and outcome is null`)
    .returning()
  if (closed.length === 0 || !card) return
  await sendWaitingReceipt(tx, giftCardId)
  if (beforePayout) await enqueue(tx, 'payAtOnce', id, { giftCardId })
  // Nothing is recorded about an erased card.
  if (amount !== null && card.dataKey) {
    await tx.insert(balanceChecks).values({
      id: uuidv7({ msecs: card.lockedAt.getTime() }),
      ...{ giftCardId, amount, source: 'connector', at: card.lockedAt },
    })
    await record(tx, {
      actor: { kind: 'system' },
      action: 'submission.balance_checked',
      subject: { kind: 'submission', id: giftCardId },
      details: { amount: toDecimal(amount), source: 'connector' },
    })
  }
  await enqueueDecisions(tx, id, card)
  await announce(tx, card)
}

/** Policies decide once the card has been here for as long as they wait. */
async function enqueueDecisions(tx: Transaction, requestId: string, card: CardRow): Promise<void> {
  if (card.status !== 'pending' || card.version > 1) return
  const minutes = policies.waitMinutes
  const dueAt = sql`${card.createdAt.toISOString()}::timestamptz + make_interval(mins => ${minutes})`
  const waits = await tx
    .selectDistinct({ minutes, seconds: sql<number>`extract(epoch from ${dueAt} - now())::float8` })
    .from(policies)
    .where(decidesOn(card.brand))
  const payload = { giftCardId: card.id }
  const jobs = waits.map(({ minutes, seconds }) => ({
    key: `${requestId}:${minutes}`,
    payload,
    ...(seconds > 0 && { afterSeconds: seconds }),
  }))
  await enqueueMany(tx, 'decideByPolicy', jobs)
}

function announce(tx: Transaction, { id, sellerId }: Pick<CardRow, 'id' | 'sellerId'>): Promise<void> {
  const message = { type: 'BALANCE_UPDATE', userId: sellerId, submissionId: id } as const
  return publish(tx, [
    { to: 'staff', message },
    { to: { userId: sellerId }, message },
  ])
}
