import { webhookRoutes as routes } from '#contract/webhooks.ts'
import type { Context } from '#server/context.ts'
import { byId, finishPage } from '#server/http/paging.ts'
import type { Serve } from '#server/http/serve.ts'
import * as webhooks from './actions.ts'

export function serveWebhooks(serve: Serve, context: Context): void {
  serve(routes.webhooks, () => webhooks.listWebhooks(context))

  serve(routes.addWebhook, ({ actor, body }) => webhooks.addWebhook(context, actor, body))

  serve(routes.changeWebhook, ({ actor, params, body }) =>
    webhooks.changeWebhook(context, actor, params.id, body),
  )

  serve(routes.deleteWebhook, async ({ actor, params, request }) => {
    await webhooks.deleteWebhook(context, actor, params.id)
    return { message: request.words('done.webhook_deleted') }
  })

  serve(routes.rotateWebhookSecret, async ({ actor, params }) => ({
    secret: await webhooks.rotateSecret(context, actor, params.id),
  }))

  serve(routes.testWebhook, async ({ params, request }) => {
    await webhooks.sendTest(context, params.id)
    return { message: request.words('done.webhook_sending') }
  })

  serve(routes.webhookDeliveries, async ({ query, request, reply }) => {
    const found = await webhooks.listDeliveries(context, query)
    return finishPage(request, reply, { ...found, limit: query.limit }, byId)
  })

  serve(routes.resendDelivery, async ({ params, request }) => {
    await webhooks.resendDelivery(context, params.id)
    return { message: request.words('done.webhook_sending') }
  })
}
