import { reviewRoutes as routes } from '#contract/reviews.ts'
import type { Context } from '#server/context.ts'
import { byId, finishPage } from '#server/http/paging.ts'
import type { Serve } from '#server/http/serve.ts'
import { addReview, decideReview, listShownReviews } from './actions.ts'
import { countReviews, listReviews } from './queries.ts'

export function serveReviews(serve: Serve, context: Context): void {
  const { db } = context
  serve(routes.addReview, ({ actor, body }) => addReview(context, actor, body))

  serve(routes.shownReviews, () => listShownReviews(context))

  serve(routes.staffReviews, async ({ query, request, reply }) => {
    const [rows, total] = await Promise.all([listReviews(db, query), countReviews(db, query)])
    return finishPage(request, reply, { rows, total, limit: query.limit }, byId)
  })

  serve(routes.decideReview, ({ actor, params, body }) => decideReview(context, actor, params.id, body))
}
