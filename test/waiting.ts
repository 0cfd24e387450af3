import type pg from 'pg'
import { expect } from 'vitest'
import type { Person } from './person.ts'

/** Runs a request that waits for its person's account, which is changed in the meantime. */
export async function whileAccountIsLocked<T>(
  pool: pg.Pool,
  person: Person,
  request: () => Promise<T>,
  change: string,
): Promise<T> {
  const lock = await pool.connect()
  try {
    await lock.query('begin')
    for (const table of ['users', 'administrators'])
      await lock.query(`select from ${table} where id = $1 for update`, [person.id])
    const answer = request()
    await expect.poll(() => someoneWaits(pool)).toBe(true)
    await lock.query(change, [person.id])
    await lock.query('commit')
    return await answer
  } finally {
    lock.release()
  }
}

/** Whether a transaction waits for a lock. */
export async function someoneWaits(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows.length > 0
}
