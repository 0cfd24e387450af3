import { auditRoutes as routes } from '#contract/audit.ts'
import type { Context } from '#server/context.ts'
import { byId, finishPage } from '#server/http/paging.ts'
import type { Serve } from '#server/http/serve.ts'
import { listEntries } from './actions.ts'

export function serveAudit(serve: Serve, context: Context): void {
  serve(routes.auditLog, async ({ query, request, reply }) => {
    const found = await listEntries(context, query)
    return finishPage(request, reply, { ...found, limit: query.limit }, byId)
  })
}
