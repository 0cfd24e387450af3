import { sql } from 'drizzle-orm'
import { serviceRoutes as routes } from '#contract/service.ts'
import type { Context } from '#server/context.ts'
import { Refusal } from './refusal.ts'
import type { Serve } from './serve.ts'

/** How long an answer of the database is reused, so that probes cannot flood it. */
const READY_MS = 1000

export function serveHealth(serve: Serve, { db }: Context): void {
  serve(routes.alive, async () => ({ status: 'alive' }))

  let isReachable = false
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    isReachable = await db.execute(sql`select 1 from migrations limit 1`).then(
      () => true,
      () => false,
    )
    askedAt = performance.now()
    asking = undefined
  }

  serve(routes.ready, async () => {
    if (performance.now() - askedAt > READY_MS) {
      asking ??= ask()
      await asking
    }
    if (!isReachable) throw new Refusal('busy', 'The database is not reachable', { retryAfter: 5 })
    return { status: 'ready' }
  })
}
