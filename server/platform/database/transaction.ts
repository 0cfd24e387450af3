import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { PgTransactionConfig } from 'drizzle-orm/pg-core'
import { isUnavailable, isWorthRetrying } from './errors.ts'
import type { Database, Transaction } from './pool.ts'

const MAX_ATTEMPTS = 4

/**
 * Runs `work` in one transaction: it is committed when `work` resolves, rolled back when it rejects.
 *
 * After a deadlock or serialization failure `work` runs again, so it must do nothing that a rollback does not undo. Pushes
 * (`publish`) and jobs (`enqueue`) are part of the transaction; other side effects belong after it.
 */
export async function transaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  config?: PgTransactionConfig,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOn(db, work, config)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isWorthRetrying(error)) throw error
      // A random wait, so that the same transactions don't collide again.
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

/** Takes and releases the connection itself: with a pool, drizzle leaks the connection when `begin` fails. */
async function attemptOn<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  config: PgTransactionConfig | undefined,
): Promise<T> {
  const client = await db.$client.connect()
  let broken = false
  try {
    return await drizzle({ client }).transaction(work, config)
  } catch (error) {
    broken = isUnavailable(error)
    throw error
  } finally {
    client.release(broken)
  }
}
