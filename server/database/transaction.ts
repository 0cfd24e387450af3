import { setTimeout as sleep } from 'node:timers/promises'
import { isWorthRetrying } from './errors.ts'
import type { Database, Transaction } from './pool.ts'

const attempts = 4

/**
 * Runs `work` in one transaction: it is committed when `work` resolves, rolled back when it rejects.
 *
 * A deadlock or serialization failure rolls back and runs `work` again, so it must do nothing outside the
 * transaction: publish and send after this has resolved.
 */
export async function transaction<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      if (attempt === attempts || !isWorthRetrying(error)) throw error
      // Those who collided wait differently long, or they collide again.
      await sleep(Math.random() * 20 * attempt)
    }
  }
}
