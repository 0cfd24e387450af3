import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { TEST_EVENT, WebhookEvent } from '#contract/webhooks.ts'
import type { PayoutEvent } from '#domain/notifications.ts'
import type { PaymentType } from '#domain/payment-methods.ts'
import type { Database, Transaction } from '#server/platform/database/pool.ts'
import { executePrepared, notify } from '#server/platform/database/queries.ts'
import { jobs } from '#server/platform/database/schema.ts'
import type { Locale } from '#words/locales.ts'

// Emails and other work to do after a commit: an outbox table.

/** The payload of each kind of job. */
export interface JobPayloads {
  /** Emails the seller about a submission or a status change. The text is made from its history when it is sent. */
  statusMail: { giftCardId: string; version: number }
  /** Enqueues the receipt of a sale's cards after that position, when no more cards arrive. */
  saleReceipt: { saleId: string; after: number }
  /** Emails the seller what we received: a sale's cards after the first position, up to the last one. */
  saleReceiptMail: { saleId: string; after: number; upTo: number }
  /** Emails the seller that a payout was sent, came back, or that the bank has other account details. */
  payoutMail: { payoutId: string; kind: PayoutEvent }
  /**
   * A security email. `to` is fixed at the time of the event, because the event may be a change of the address. `userId` is
   * missing for staff. `at` is the time of the event in ISO 8601, and `userAgent` is its browser, if known. All three are missing in jobs
   * of earlier versions.
   */
  accountMail: { to: string; userId?: string; notice: SecurityEvent; at?: string; userAgent?: string }
  /** The last email to a deleted account. Its job is deleted when it was sent. `addresses` had emails of the account. */
  accountDeletedMail: { to: string; addresses: string[]; locale: Locale }
  /** Emails a link to set a new password, if the account exists. */
  passwordResetMail: { email: string; because: 'asked' | 'emailRestored' }
  /** Emails a customer their unread replies after this message number. Earlier ones were emailed or read. */
  replyMail: { threadId: string; after: number }
  /** Emails a link to confirm the address, if the account still has it and it is not confirmed. */
  confirmEmailMail: { userId: string; email: string; because: 'registered' | 'changed' | 'asked' }
  /** Emails the link of an invitation to the staff, if it was not replaced, revoked or accepted in the meantime. */
  staffInvitationMail: { invitationId: string }
  /** Pushes news to one subscribed browser. `until` is a time in ISO 8601, after which the news are old. */
  push: { subscriptionId: string; news: PushNews; until: string }
  /** Records the exported payouts of a batch as paid, from the position after `after`. */
  confirmBatch: { batchId: string; administratorId: string; reference?: string | undefined; after: number }
  /** Asks a balance connector about a card. Its number is read when it is sent. */
  askBalance: { requestId: string }
  /** Lets the policies decide that have waited for this moment. */
  decideByPolicy: { giftCardId: string }
  /** Pays what a policy approved, after the balance of its card was asked again. */
  payAtOnce: { giftCardId: string }
  /** Sends an event to one endpoint. The database adds these jobs (0087_webhooks.sql). */
  webhook: WebhookPayload
}

export type WebhookPayload = {
  endpointId: string
  event: WebhookEvent | typeof TEST_EVENT
  /** The submission, payout, sale or message. */
  about: string
  /** Of the submission after the move. */
  version: number | null
  /** When it happened, in ISO 8601. */
  at: string
}

/** What a push is about. Its text is made when it is sent. */
export type PushNews =
  | { about: 'move'; giftCardId: string; version: number }
  | { about: 'payout'; payoutId: string; event: PayoutEvent }
  /** `number` is that of the reply. */
  | { about: 'reply'; threadId: string; number: number }

/** What happened to the security of an account, with the details that its email says. */
export interface SecurityEvents {
  /** `passkeys` is how many still sign in. */
  passwordChanged: { methodsRemoved?: boolean; passkeys?: number }
  passkeyAdded: { name: string }
  passkeyRemoved: { name: string }
  secondFactorOn: object
  secondFactorOff: object
  recoveryCodesRenewed: object
  /** `left` is how many are unused. */
  recoveryCodeUsed: { left: number }
  wrongCodes: { of: 'seller' | 'staff' }
  dataDownloaded: object
  /** Another account registered the unconfirmed address of the profile. */
  emailFellBack: object
  /** A link that was mailed to an earlier address gave the account that address back. */
  emailUndone: object
  /**
   * The token of the link is made when the email is sent, so that no job holds one. `newEmail` is null if the address was
   * never confirmed: its owner may be a stranger, so the email repeats nothing that was typed there.
   */
  emailChanged: { newEmail: string | null; tokenId: string }
  paymentMethodAdded: AccountGiven
  paymentMethodDefault: AccountGiven
  paymentMethodRemoved: AccountGiven
  /**
   * `count` is the number of cards and `amount` their sum in cents. `waits` is false before the approval, and otherwise the money
   * leaves after `until`. `isSaved` says that the account is a payment method now. All are missing in jobs of earlier versions.
   */
  payoutAccountChanged: AccountGiven & {
    count?: number
    amount?: number
    /** More cards, which are not decided yet. */
    undecided?: number
    waits?: boolean
    until?: string
    cards?: { id: string; amount: number }[]
    isSaved?: boolean
  }
}
/** `hint` is the masked account. Missing in jobs of earlier versions, as `holder` is. */
export interface AccountGiven {
  type: PaymentType
  hint?: string
  holder?: string
}
export type SecurityEvent = {
  [K in keyof SecurityEvents]: { kind: K } & SecurityEvents[K]
}[keyof SecurityEvents]

export type JobKind = keyof JobPayloads

/** The channel that tells the workers of a lane about new jobs. */
export const JOBS_CHANNEL = 'unspent_jobs'

/**
 * Enqueues a job in the transaction that needs it. If that commits, the job runs at least once.
 *
 * @param key identifies the event: the same key twice is one job
 */
export async function enqueue<K extends JobKind>(
  tx: Transaction,
  kind: K,
  key: string,
  payload: JobPayloads[K],
): Promise<void> {
  await enqueueMany(tx, kind, [{ key, payload }])
}

/** Enqueues many jobs of a kind, each at once or after some seconds. */
export async function enqueueMany<K extends JobKind>(
  tx: Transaction,
  kind: K,
  many: readonly { readonly key: string; readonly payload: JobPayloads[K]; readonly afterSeconds?: number }[],
): Promise<void> {
  if (many.length === 0) return
  const rows = many.map((job) => ({ ...job, id: uuidv7() }))
  await executePrepared(
    tx,
    'enqueue',
    sql`
    insert into jobs (id, kind, key, payload, run_at)
    select id, ${kind}, key, payload, now() + make_interval(secs => coalesce("afterSeconds", 0))
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given (id uuid, key text, payload jsonb, "afterSeconds" double precision)
    on conflict do nothing`,
  )
  await notifyLane(tx, laneOf[kind] ?? 'everything else')
}

/** Kinds that are enqueued to run at once in a lane of their own. Workers poll for others. */
const laneOf: Partial<Record<JobKind, Lane>> = {
  askBalance: 'balances',
  decideByPolicy: 'balances',
  payAtOnce: 'payouts',
}

/** Wakes the workers of a lane when the transaction commits. */
export function notifyLane(tx: Transaction, lane: Lane | typeof WEBHOOK_LANES): Promise<void> {
  return notify(tx, JOBS_CHANNEL, lane)
}

const runAfter = (seconds: number | SQL) => sql`now() + make_interval(secs => ${seconds})`

/**
 * Enqueues a job for later. No worker is notified; each polls for due jobs every few seconds. Restarts a given-up job
 * with the same key.
 *
 * @param postpones whether a job with the same key that is not done waits again
 */
export async function enqueueLater<K extends JobKind>(
  tx: Transaction,
  kind: K,
  key: string,
  {
    payload,
    afterSeconds,
    postpones,
  }: { payload: JobPayloads[K]; afterSeconds: number | SQL; postpones?: boolean },
): Promise<void> {
  const runAt = runAfter(afterSeconds)
  await tx
    .insert(jobs)
    .values({ id: uuidv7(), kind, key, payload, runAt })
    .onConflictDoUpdate({
      target: [jobs.kind, jobs.key],
      set: {
        failedAt: null,
        attempts: 0,
        runAt,
        requestId: sql`excluded.request_id`,
        traceparent: sql`excluded.traceparent`,
      },
      setWhere: postpones ? isNull(jobs.doneAt) : isNotNull(jobs.failedAt),
    })
}

export interface DueJob {
  readonly id: string
  readonly kind: JobKind
  readonly key: string
  readonly payload: Record<string, unknown>
  readonly attempts: number
  /** Null if no request asked for it. */
  readonly requestId: string | null
  /** Null if no traces were sent. */
  readonly traceparent: string | null
}

/**
 * Pushes and balance connectors have separate lanes, so that a slow service does not delay emails. Decisions by policies follow the
 * answers of connectors. Automatic payouts have one, so that one batch is made after the other. So has each endpoint of webhooks,
 * so that a slow one delays no other.
 */
export type Lane = 'pushes' | 'balances' | 'payouts' | 'everything else' | WebhookLane
export type WebhookLane = `webhook ${string}`
/** Wakes the workers of all endpoints. */
export const WEBHOOK_LANES = 'webhooks'

/** The lane as a name for prepared statements, and its condition. */
function conditionOf(lane: Lane | undefined): [name: string, condition: SQL] {
  if (lane === undefined) return ['all', sql`true`]
  if (lane === 'pushes') return [lane, sql`kind = 'push'`]
  if (lane === 'balances') return [lane, sql`kind in ('askBalance', 'decideByPolicy')`]
  if (lane === 'payouts') return [lane, sql`kind = 'payAtOnce'`]
  if (lane === 'everything else') {
    return [lane, sql`kind not in ('push', 'askBalance', 'decideByPolicy', 'payAtOnce', 'webhook')`]
  }
  return ['webhook', sql`kind = 'webhook' and payload->>'endpointId' = ${lane.slice('webhook '.length)}`]
}

/**
 * Leases the next due job, so that no other worker gets it. If this worker dies, the lease expires and another takes the job.
 *
 * @param finished the job that this worker has just finished, marked as done in the same statement
 * @param lane only jobs of this lane
 */
export async function leaseJob(
  db: Database,
  leaseSeconds: number,
  finished: string | null,
  lane?: Lane,
): Promise<DueJob | undefined> {
  const [name, inLane] = conditionOf(lane)
  const { rows } = await executePrepared<DueJob>(
    db,
    `lease_job ${name}`,
    sql`
    with done as (update jobs set done_at = now(), last_error = null where id = ${finished}::uuid)
    update jobs set attempts = attempts + 1, run_at = now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from jobs
      where done_at is null and failed_at is null and run_at <= now() and id is distinct from ${finished}::uuid
        and ${inLane}
      order by run_at limit 1 for update skip locked
    )
    returning id, kind, key, payload, attempts, request_id as "requestId", traceparent`,
  )
  return rows[0]
}

export async function markDone(db: Database, id: string): Promise<void> {
  await db.update(jobs).set({ doneAt: sql`now()`, lastError: null }).where(eq(jobs.id, id))
}

/** Schedules the next attempt, or gives the job up if there is none. */
export async function markFailed(
  db: Database,
  id: string,
  { error, retryInSeconds }: { error: string; retryInSeconds: number | undefined },
): Promise<void> {
  const next =
    retryInSeconds === undefined
      ? { failedAt: sql`now()` }
      : { runAt: sql`now() + make_interval(secs => ${retryInSeconds})` }
  await db
    .update(jobs)
    .set({ lastError: error, ...next })
    .where(eq(jobs.id, id))
}

/** The number of unfinished jobs, the seconds that the oldest is overdue except webhooks, whose receivers may be slow, and the number of given-up jobs. */
export async function countJobs(
  db: Database,
): Promise<{ waiting: number; lateSeconds: number; givenUp: number }> {
  const { rows } = await db.execute<{ waiting: number; late: number; given_up: number }>(sql`
    select count(*)::int as waiting,
      coalesce(greatest(extract(epoch from now() - min(run_at) filter (where kind <> 'webhook')), 0), 0)::float8 as late,
      (select count(*) from jobs where failed_at is not null)::int as given_up
    from jobs where done_at is null and failed_at is null`)
  const [row] = rows
  return { waiting: row?.waiting ?? 0, lateSeconds: row?.late ?? 0, givenUp: row?.given_up ?? 0 }
}

/** The newest given-up jobs, and the number of all. */
export async function listGivenUp(db: Database, limit: number) {
  const found = await db
    .select({
      id: jobs.id,
      kind: jobs.kind,
      payload: jobs.payload,
      failedAt: sql<Date>`${jobs.failedAt}`.mapWith(jobs.failedAt),
      attempts: jobs.attempts,
      lastError: jobs.lastError,
    })
    .from(jobs)
    .where(isNotNull(jobs.failedAt))
    .orderBy(desc(jobs.failedAt))
    .limit(limit)
  return { jobs: found, total: await db.$count(jobs, isNotNull(jobs.failedAt)) }
}

/** Restarts one given-up job, or all of them, with all attempts. Returns how many. */
export async function retryGivenUp(tx: Transaction, id: string | undefined): Promise<number> {
  const restarted = await tx
    .update(jobs)
    .set({ failedAt: null, attempts: 0, runAt: sql`now()` })
    .where(and(isNotNull(jobs.failedAt), id === undefined ? undefined : eq(jobs.id, id)))
    .returning({ id: jobs.id })
  await notify(tx, JOBS_CHANNEL)
  return restarted.length
}

/** Work that moves money can only be retried. */
export function isDiscardable(kind: string): boolean {
  const movingMoney: readonly JobKind[] = ['confirmBatch', 'payAtOnce']
  return !movingMoney.includes(kind as JobKind)
}

/** Deletes a given-up job. Returns its kind, `kept` if it is not discardable, or undefined if there is no such job. */
export async function discardGivenUp(tx: Transaction, id: string): Promise<string | undefined> {
  const [job] = await tx
    .select({ kind: jobs.kind })
    .from(jobs)
    .where(and(isNotNull(jobs.failedAt), eq(jobs.id, id)))
    .for('update')
  if (!job) return undefined
  if (!isDiscardable(job.kind)) return 'kept'
  await tx.delete(jobs).where(eq(jobs.id, id))
  return job.kind
}

const SYSTEM_ERROR =
  /\b(ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EPIPE|EACCES|ENOSPC)\b/

/**
 * What failed, without the addresses and other values that messages repeat: the reply code of a mail server, the code of a system
 * error, `database`, or the class of the error.
 *
 * @param error an error, or its text as `markFailed` keeps it
 */
export function errorCodeOf(error: unknown): string {
  const text = String(error)
  // Drizzle lists the values of the statement.
  if (text.includes('Failed query')) return 'database'
  const reply = /: ([45]\d\d)(?: |-|$)/.exec(text)?.[1]
  return reply ?? SYSTEM_ERROR.exec(text)?.[1] ?? /^[A-Z][A-Za-z]{0,39}(?=:|$)/.exec(text)?.[0] ?? 'Error'
}

export async function deleteJob(db: Database, id: string): Promise<void> {
  await db.delete(jobs).where(eq(jobs.id, id))
}

/** Finished jobs are kept for a month, for support questions. The address of a deleted account is kept for a week at most. */
export async function deleteOldJobs(db: Database): Promise<void> {
  await db.execute(sql`delete from jobs where done_at < now() - interval '30 days'
    or (kind = 'accountDeletedMail' and created_at < now() - interval '7 days')`)
}
