import { eq, getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { createDatabase } from '#server/platform/database/pool.ts'
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
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { Random } from '#test/random.ts'
import { type GeneratedSeller, generateUsers, type UserRow } from './people.ts'
import { generateSubmissions } from './submissions.ts'
import { generateThreads } from './threads.ts'
import { type Timeline, twoYears } from './timeline.ts'

export interface FillOptions {
  readonly pool: Pool
  readonly keys: KeyRing
  /** The hash of `GENERATED_PASSWORD`. */
  readonly passwordHash: string
  readonly submissions: number
  /** A fifth of the submissions by default. */
  readonly users?: number
  /** A twentieth of the submissions by default. */
  readonly threads?: number
  readonly seed?: number
  /** The end of the two years, in milliseconds. The last midnight by default. */
  readonly until?: number
  /** Called after each batch. */
  readonly onProgress?: (what: string, done: number, of: number) => void
}

/** The database was already filled with this seed. */
export class AlreadyFilledError extends Error {
  override name = 'AlreadyFilledError'
}

/** The password of all generated sellers. */
export const GENERATED_PASSWORD = 'generated sellers only'

const DAY_MS = 24 * 3600 * 1000
const BATCH = 2000
/** The reviewers. They cannot sign in. */
const STAFF = ['Ana (generated)', 'Ben (generated)', 'Chidi (generated)']

/**
 * Fills a migrated database with two years of business. The same seed produces the same data. Creates no photos, emails
 * or audit log entries.
 */
export async function fill(options: FillOptions): Promise<void> {
  const { pool, submissions } = options
  const random = new Random(options.seed ?? 1)
  const timeline = twoYears(options.until ?? Math.floor(Date.now() / DAY_MS) * DAY_MS)
  const world = { random, timeline, staffIds: await ensureStaff(pool) }
  const sellers = await fillUsers(options, world, options.users ?? Math.max(1, Math.ceil(submissions / 5)))
  await fillSubmissions(options, { ...world, sellers })
  await fillThreads(options, { ...world, sellers }, options.threads ?? Math.ceil(submissions / 20))
  // PostgreSQL needs these statistics to plan queries well, and would collect them only minutes later.
  await pool.query('VACUUM (ANALYZE)')
}

interface World {
  readonly random: Random
  readonly timeline: Timeline
  readonly staffIds: readonly string[]
}

type Populated = World & { readonly sellers: readonly GeneratedSeller[] }

async function fillUsers(
  { pool, passwordHash, onProgress }: FillOptions,
  { random, timeline }: World,
  count: number,
): Promise<GeneratedSeller[]> {
  const sellers: GeneratedSeller[] = []
  for (const batch of batches(generateUsers(count, { random, timeline, passwordHash }))) {
    if (sellers.length === 0) await refuseSecondFill(pool, batch[0]?.username)
    await insertRows(pool, users, batch)
    sellers.push(...batch.map(toSeller))
    onProgress?.('users', sellers.length, count)
  }
  return sellers
}

function toSeller({ id, firstName, lastName, username, email }: UserRow): GeneratedSeller {
  return { id, name: `${firstName} ${lastName}`, username, email }
}

async function fillSubmissions(
  { pool, keys, submissions, onProgress }: FillOptions,
  world: Populated,
): Promise<void> {
  let done = 0
  for (const batch of batches(generateSubmissions(submissions, { ...world, keys }))) {
    const cards = batch.map(({ card }) => card)
    const paid = batch.map(({ transaction }) => transaction)
    await insertRows(pool, giftCards, cards)
    await insertRows(pool, transactions, paid)
    await insertRows(
      pool,
      statusHistory,
      batch.flatMap(({ history }) => history),
    )
    done += batch.length
    onProgress?.('submissions', done, submissions)
  }
  await countTrades(pool)
}

async function fillThreads(
  { pool, onProgress }: FillOptions,
  world: Populated,
  count: number,
): Promise<void> {
  let done = 0
  for (const batch of batches(generateThreads(count, world), 250)) {
    const sessions = batch.flatMap(({ session }) => session ?? [])
    await insertRows(pool, contactSessions, sessions)
    // Sellers' and visitors' threads have different fields.
    for (const ofVisitor of [false, true]) {
      const threads = batch.filter(({ session }) => Boolean(session) === ofVisitor)
      await insertRows(
        pool,
        chatThreads,
        threads.map(({ thread }) => thread),
      )
    }
    await insertRows(pool, chatMessages, batch.flatMap(({ messages }) => messages) as never)
    await numberThreads(
      pool,
      batch.map(({ thread }) => thread.id),
    )
    done += batch.length
    onProgress?.('threads', done, count)
  }
}

async function refuseSecondFill(pool: Pool, username: string | undefined): Promise<void> {
  const { rowCount } = await pool.query('SELECT 1 FROM users WHERE lower(username) = $1', [username])
  if (rowCount) throw new AlreadyFilledError('This database already contains the generated data of this seed')
}

async function ensureStaff(pool: Pool): Promise<string[]> {
  const db = createDatabase(pool)
  const now = new Date()
  const rows = STAFF.map((username) => ({
    id: uuidv7(),
    username,
    passwordHash: '!',
    createdAt: now,
    disabledAt: now,
  }))
  await db.insert(administrators).values(rows).onConflictDoNothing()
  const found = STAFF.map((username) =>
    db.select({ id: administrators.id }).from(administrators).where(eq(administrators.username, username)),
  )
  return (await Promise.all(found)).flat().map(({ id }) => id)
}

async function countTrades(pool: Pool): Promise<void> {
  await pool.query(`
    UPDATE users SET trade_count = trades.count
    FROM (SELECT seller_id, count(*) FROM gift_cards WHERE status = 'completed' GROUP BY seller_id) AS trades
    WHERE users.id = trades.seller_id AND users.trade_count <> trades.count`)
}

/** Sets the threads' message numbers, which the database assigned on insert. */
async function numberThreads(pool: Pool, ids: readonly string[]): Promise<void> {
  await pool.query(
    `UPDATE chat_threads SET last_message_number = newest, customer_read_number = newest,
       unanswered_number = (SELECT min(number) FROM chat_messages WHERE thread_id = chat_threads.id AND number > newest_reply),
       staff_read_number = CASE WHEN staff_unread = 0 THEN newest ELSE newest_reply END
     FROM (
       SELECT thread_id, max(number) AS newest, coalesce(max(number) FILTER (WHERE is_admin_reply), 0) AS newest_reply
       FROM chat_messages WHERE thread_id = ANY ($1) GROUP BY thread_id
     ) AS numbers
     WHERE chat_threads.id = numbers.thread_id`,
    [ids],
  )
}

/** Inserts many rows with the same fields in one statement. Other columns get their defaults. */
async function insertRows<T extends PgTable>(
  pool: Pool,
  table: T,
  rows: readonly T['$inferInsert'][],
): Promise<void> {
  const [shape] = rows
  if (!shape) return
  const given = Object.entries(getTableColumns(table)).filter(([field]) => field in shape)
  const columns = given.map(([, { name }]) => `"${name}"`).join(', ')
  const texts = rows.map((row) => {
    const values: Readonly<Record<string, unknown>> = row
    return Object.fromEntries(given.map(([field, { name }]) => [name, toJson(values[field])]))
  })
  const name = getTableName(table)
  await pool.query(
    `INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::"${name}", $1)`,
    [JSON.stringify(texts)],
  )
}

function toJson(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return typeof value === 'bigint' ? String(value) : value
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
