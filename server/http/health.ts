import { sql } from 'drizzle-orm'
import { healthRoutes as routes } from '#contract/health.ts'
import type { Context } from '#server/context.ts'
import { Refusal } from './refusal.ts'
import type { Serve } from './serve.ts'

export function serveHealth(serve: Serve, { db }: Context): void {
  serve(routes.alive, async () => ({ status: 'alive' }))

  serve(routes.ready, async () => {
    try {
      await db.execute(sql`select 1 from migrations limit 1`)
    } catch {
      throw new Refusal('busy', 'The database is not reachable', { retryAfter: 5 })
    }
    return { status: 'ready' }
  })
}
