import { inArray, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { createDatabase, type Database, type Transaction } from '#server/platform/database/pool.ts'
import {
  administrators,
  chatMessages,
  chatThreads,
  contactSessions,
  giftCards,
  statusHistory,
  transactions,
  users,
} from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { Random } from '#test/random.ts'
import { insertBooks } from './books.ts'
import { generateSellers } from './people.ts'
import { type GeneratedSubmission, generateSubmissions, type World } from './submissions.ts'
import { type GeneratedThread, generateThreads } from './threads.ts'
import { DAY_MS, twoYears } from './timeline.ts'

export interface FillOptions {
  readonly pool: Pool
  readonly keys: KeyRing
  /** The hash of the password of all generated sellers. */
  readonly passwordHash: string
  readonly submissions: number
  /** A fifth of the submissions by default. */
  readonly users?: number
  /** A twentieth of the submissions by default. */
  readonly threads?: number
  readonly seed?: number
  /** Called after each batch. */
  readonly onProgress?: (what: string, done: number, of: number) => void
}

/** The database was already filled with this seed. */
export class AlreadyFilledError extends Error {
  override name = 'AlreadyFilledError'
}

/** Rows of one statement, which has at most 65,535 values. */
const BATCH = 500
/** The reviewers. They cannot sign in. */
const STAFF = ['Ana (generated)', 'Ben (generated)', 'Chidi (generated)']

/**
 * Fills a migrated database with two years of business. The same seed produces the same data. Creates no photos, emails
 * or audit log entries.
 */
export async function fill(options: FillOptions): Promise<void> {
  const { pool, keys, submissions, threads = Math.ceil(submissions / 20), passwordHash } = options
  const db = createDatabase(pool)
  const random = new Random(options.seed ?? 1)
  const timeline = twoYears(Math.floor(Date.now() / DAY_MS) * DAY_MS)
  const count = options.users ?? Math.max(1, Math.ceil(submissions / 5))
  const sellers = generateSellers(count, { random, timeline, passwordHash })
  await refuseSecondFill(pool, sellers[0]?.username)
  const world: World = { random, timeline, keys, sellers, staffIds: await ensureStaff(db) }

  const insert = async <T>(
    what: string,
    rows: Iterable<T>,
    of: number,
    write: (tx: Transaction, batch: T[]) => Promise<unknown>,
  ) => {
    let done = 0
    for (const batch of batches(rows)) {
      await transaction(db, async (tx) => {
        // Without statistics, the triggers of the ledger would read the whole table for each entry.
        await tx.execute(sql`set local enable_seqscan = off`)
        await write(tx, batch)
      })
      done += batch.length
      options.onProgress?.(what, done, of)
    }
  }
  await insert('users', sellers, count, (tx, batch) => tx.insert(users).values(batch))
  await insert('submissions', generateSubmissions(submissions, world), submissions, (tx, batch) =>
    insertSubmissions(tx, batch, world),
  )
  await insert('threads', generateThreads(threads, world), threads, insertThreads)
  await countTrades(pool)
  await sumUp(pool)
  // PostgreSQL needs these statistics to plan queries well, and would collect them only minutes later.
  await pool.query('VACUUM (ANALYZE)')
}

async function insertSubmissions(tx: Transaction, batch: readonly GeneratedSubmission[], world: World) {
  await tx.insert(giftCards).values(batch.map(({ card }) => card))
  await tx.insert(transactions).values(batch.map((submission) => submission.transaction))
  await tx.insert(statusHistory).values(batch.flatMap(({ history }) => history))
  await insertBooks(tx, batch, world)
}

async function insertThreads(tx: Transaction, batch: readonly GeneratedThread[]) {
  const sessions = batch.flatMap(({ session }) => session ?? [])
  if (sessions.length > 0) await tx.insert(contactSessions).values(sessions)
  await tx.insert(chatThreads).values(batch.map(({ thread }) => thread))
  for (const messages of batches(
    batch.flatMap((thread) => thread.messages),
    5000,
  )) {
    await tx.insert(chatMessages).values(messages)
  }
  await numberThreads(
    tx,
    batch.map(({ thread }) => thread.id),
  )
}

async function refuseSecondFill(pool: Pool, username: string | undefined): Promise<void> {
  const { rowCount } = await pool.query('SELECT 1 FROM users WHERE lower(username) = $1', [username])
  if (rowCount) throw new AlreadyFilledError('This database already contains the generated data of this seed')
}

async function ensureStaff(db: Database): Promise<string[]> {
  const now = new Date()
  const rows = STAFF.map((username) => ({
    id: uuidv7(),
    username,
    passwordHash: '!',
    createdAt: now,
    disabledAt: now,
  }))
  await db.insert(administrators).values(rows).onConflictDoNothing()
  const { id, username } = administrators
  const found = await db.select({ id }).from(administrators).where(inArray(username, STAFF)).orderBy(username)
  return found.map((row) => row.id)
}

async function countTrades(pool: Pool): Promise<void> {
  await pool.query(`
    UPDATE users SET trade_count = trades.count
    FROM (SELECT seller_id, count(*) FROM gift_cards WHERE status = 'completed' GROUP BY seller_id) AS trades
    WHERE users.id = trades.seller_id AND users.trade_count <> trades.count`)
}

/** Adds the ledger's entries to the sums that reports read. The lock waits for earlier entries of a running server. */
async function sumUp(pool: Pool): Promise<void> {
  await pool.query(`BEGIN; LOCK TABLE ledger_entries IN SHARE MODE; SELECT sum_up_ledger(now()); COMMIT`)
}

/** Sets the threads' message numbers, which the database assigned on insert. */
async function numberThreads(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    UPDATE chat_threads SET last_message_number = newest, customer_read_number = newest,
      unanswered_number = (SELECT min(number) FROM chat_messages WHERE thread_id = chat_threads.id AND number > newest_reply),
      staff_read_number = CASE WHEN staff_unread = 0 THEN newest ELSE newest_reply END
    FROM (
      SELECT thread_id, max(number) AS newest, coalesce(max(number) FILTER (WHERE is_admin_reply), 0) AS newest_reply
      FROM chat_messages WHERE thread_id = ANY (${sql.param(ids)}::uuid[]) GROUP BY thread_id
    ) AS numbers
    WHERE chat_threads.id = numbers.thread_id`)
}

function* batches<T>(rows: Iterable<T>, size = BATCH): Generator<T[]> {
  let batch: T[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
