import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { PgTransactionConfig } from 'drizzle-orm/pg-core'
import { isUnavailable, isWorthRetrying } from './errors.ts'
import type { Database, Transaction } from './pool.ts'

const attempts = 4

/**
 * Runs `work` in one transaction: it is committed when `work` resolves, rolled back when it rejects.
 *
 * A deadlock or serialization failure rolls back and runs `work` again, so it must do nothing that a rollback does not
 * undo. A push (`publish`) and a job (`enqueue`) are rows and notifications of the transaction; whatever else others are
 * to notice is done after this has resolved.
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
      if (attempt === attempts || !isWorthRetrying(error)) throw error
      // Those who collided wait differently long, or they collide again.
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

/**
 * The connection is taken and given back here: drizzle, given the pool, keeps it for ever when the database goes
 * between the connection and `begin`, and a server that has lost all of them so serves nobody any more.
 */
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
