import { sql } from 'drizzle-orm'
import { serviceRoutes as routes } from '#contract/service.ts'
import type { Context } from '#server/context.ts'
import { Refusal } from './refusal.ts'
import type { Serve } from './serve.ts'

/** How long an answer of the database is reused, so that probes cannot flood it. */
const READY_MS = 1000

export function serveHealth(serve: Serve, { db }: Context): void {
  serve(routes.alive, async () => ({ status: 'alive' }))

  let isReachable = Promise.resolve(false)
  let askAfter = 0
  serve(routes.ready, async () => {
    if (performance.now() > askAfter) {
      askAfter = Number.POSITIVE_INFINITY
      const asking = db.execute(sql`select 1 from migrations limit 1`).then(
        () => true,
        () => false,
      )
      isReachable = asking.finally(() => {
        askAfter = performance.now() + READY_MS
      })
    }
    if (!(await isReachable)) throw new Refusal('busy', 'refusals.database_down', { retryAfter: 5 })
    return { status: 'ready' }
  })
}
