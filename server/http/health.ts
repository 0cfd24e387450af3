import { sql } from 'drizzle-orm'
import { serviceRoutes as routes } from '#contract/service.ts'
import type { Context } from '#server/context.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { probeFolder } from '#server/platform/durable-file.ts'
import { Refusal } from './refusal.ts'
import type { Serve } from './serve.ts'

/** How long an answer is reused, so that probes flood neither the database nor the disk. */
const READY_MS = 1000

/** What `/readyz` looks at besides the database. */
export interface Health {
  /** Whether the start has finished. */
  isStarted: boolean
  /** Folders that the server writes to. */
  readonly folders: readonly string[]
}

type Problem = 'database_down' | 'disk_unwritable'

export function serveHealth(serve: Serve, { db }: Context, health: Health): void {
  serve(routes.alive, async () => ({ status: 'alive' }))

  let checked: Promise<Problem | undefined> = Promise.resolve(undefined)
  let askAfter = 0
  serve(routes.ready, async () => {
    if (performance.now() > askAfter) {
      askAfter = Number.POSITIVE_INFINITY
      checked = findProblem(db, health.folders).finally(() => {
        askAfter = performance.now() + READY_MS
      })
    }
    const problem = health.isStarted ? await checked : 'starting'
    if (problem) throw new Refusal('busy', `refusals.${problem}`, { retryAfter: 5 })
    return { status: 'ready' }
  })
}

async function findProblem(db: Database, folders: readonly string[]): Promise<Problem | undefined> {
  const [database, ...written] = await Promise.allSettled([
    // A standby answers reads, so it looks healthy until it is promoted.
    db.execute<{ standby: boolean }>(sql`select pg_is_in_recovery() as standby from migrations limit 1`),
    ...folders.map(probeFolder),
  ])
  if (database.status === 'rejected' || database.value.rows[0]?.standby) return 'database_down'
  return written.some(({ status }) => status === 'rejected') ? 'disk_unwritable' : undefined
}
