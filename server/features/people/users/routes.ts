import { staffRoutes as routes } from '#contract/staff.ts'
import type { Context } from '#server/context.ts'
import { byId, finishPage } from '#server/http/paging.ts'
import type { Serve } from '#server/http/serve.ts'
import * as users from './actions.ts'

export function serveUsers(serve: Serve, context: Context): void {
  serve(routes.staffUsers, async ({ query, request, reply }) => {
    const found = await users.listUsers(context, query)
    return finishPage(request, reply, { ...found, limit: query.limit }, byId)
  })
}
