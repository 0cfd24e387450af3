import { isNotNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { PaymentType } from '#domain/payment-methods.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'
import { jobs } from '#server/platform/database/schema.ts'
import * as queries from './queries.ts'

/** The kinds of work that are done after a commit, and what each is told. */
export interface JobPayloads {
  /** Mails the seller about a submission or a move; the words are read from the history when it is sent. */
  statusMail: { giftCardId: string; version: number }
  /** Tells somebody of a change to their account, at the address of then: it may be what has changed. */
  accountMail: { to: string; notice: AccountNotice }
  /** Mails a link that sets a new password, if there is such an account. */
  passwordResetMail: { email: string; because: 'asked' | 'emailRestored' }
  /** Mails a customer the unread replies after the message with this number, up to which all were mailed or read. */
  replyMail: { threadId: string; after: number }
  /** Mails a link that confirms the address, if it still is the account's and not confirmed. */
  confirmEmailMail: { userId: string; email: string; because: 'registered' | 'changed' | 'asked' }
}

export type AccountNotice =
  | { kind: 'passwordChanged'; methodsRemoved?: boolean }
  /** Another account registered the unconfirmed address of the profile. */
  | { kind: 'emailFellBack' }
  /**
   * The link's token is made when it is mailed: no job holds one. `newEmail` is null for an address that was never
   * confirmed: its owner may be a stranger to the account, so the mail repeats nothing that was typed there.
   */
  | { kind: 'emailChanged'; newEmail: string | null; tokenId: string }
  | { kind: 'paymentMethodAdded' | 'paymentMethodRemoved'; type: PaymentType }

export type JobKind = keyof JobPayloads

/** The channel on which a worker hears that there is something to do. */
export const JOBS_CHANNEL = 'unspent_jobs'

/**
 * Writes down work in the transaction that asks for it: done at least once if that commits, never otherwise.
 * @param key names the event; asking twice for the same one is one job
 */
export async function enqueue<K extends JobKind>(
  tx: Transaction,
  kind: K,
  key: string,
  payload: JobPayloads[K],
): Promise<void> {
  await tx.insert(jobs).values({ id: uuidv7(), kind, key, payload }).onConflictDoNothing()
  await notify(tx, JOBS_CHANNEL)
}

/**
 * Enqueues a job for later. No worker is notified; each polls for due jobs every few seconds. Restarts a given-up job
 * with the same key.
 */
export async function enqueueLater<K extends JobKind>(
  tx: Transaction,
  kind: K,
  key: string,
  { payload, afterSeconds }: { payload: JobPayloads[K]; afterSeconds: number },
): Promise<void> {
  const runAt = sql`now() + make_interval(secs => ${afterSeconds})`
  await tx
    .insert(jobs)
    .values({ id: uuidv7(), kind, key, payload, runAt })
    .onConflictDoUpdate({
      target: [jobs.kind, jobs.key],
      set: { failedAt: null, attempts: 0, runAt },
      setWhere: isNotNull(jobs.failedAt),
    })
}

/** Has a job that was given up, or all of them, done again. @returns how many */
export async function retryGivenUp(tx: Transaction, id: string | undefined): Promise<number> {
  const count = await queries.restart(tx, id)
  await notify(tx, JOBS_CHANNEL)
  return count
}

export { countJobs, deleteOldJobs, listGivenUp } from './queries.ts'
