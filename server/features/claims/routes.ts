import { staffRoutes as routes } from '#contract/staff.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import * as claims from './actions.ts'

export function serveClaims(serve: Serve, context: Context): void {
  serve(routes.claimSubmission, ({ actor, params, body }) =>
    claims.claimSubmission(context, actor, params.id, body?.takeOver ?? false),
  )

  serve(routes.assignSubmission, ({ actor, params, body }) =>
    claims.assignSubmission(context, actor, params.id, body.assignedTo),
  )

  serve(routes.colleagues, () => claims.listColleagues(context))

  serve(routes.releaseSubmission, async ({ actor, params, request }) => {
    await claims.releaseSubmission(context, actor, params.id)
    return { message: request.words('done.released') }
  })
}
