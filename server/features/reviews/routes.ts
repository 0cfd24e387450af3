import { reviewRoutes as routes } from '#contract/reviews.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import { addReview } from './actions.ts'

export function serveReviews(serve: Serve, context: Context): void {
  serve(routes.addReview, ({ actor, body }) => addReview(context, actor, body))
}
