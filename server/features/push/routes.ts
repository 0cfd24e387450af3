import { pushRoutes } from '#contract/push.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import type { PushSender } from '#server/platform/push/push-sender.ts'
import { findEndpoint, subscribe, unsubscribe } from './subscriptions.ts'

export function servePush(serve: Serve, { db }: Context, push: PushSender): void {
  serve(pushRoutes.pushState, async ({ actor }) => ({
    publicKey: push.publicKey,
    endpoint: await findEndpoint(db, actor),
  }))

  serve(pushRoutes.subscribeToPushes, async ({ actor, body, request }) => {
    await subscribe(db, push, actor, body)
    return { message: request.words('done.pushes_on') }
  })

  serve(pushRoutes.unsubscribeFromPushes, async ({ actor, request }) => {
    await unsubscribe(db, actor)
    return { message: request.words('done.pushes_off') }
  })
}
