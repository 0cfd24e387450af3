import type { FastifyInstance } from 'fastify'
import { notificationRoutes } from '#contract/notifications.ts'
import { pushRoutes } from '#contract/push.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import type { PushSender } from '#server/platform/push/push-sender.ts'
import { locales, withLocale } from '#words/locales.ts'
import { changeSettings, listSettings, stopMails } from './settings.ts'
import { findEndpoint, subscribe, unsubscribe } from './subscriptions.ts'

export function serveNotifications(serve: Serve, context: Context, push: PushSender | undefined): void {
  const { db } = context

  serve(notificationRoutes.notifications, ({ actor }) => listSettings(db, actor.id))

  serve(notificationRoutes.changeNotifications, ({ actor, body }) => changeSettings(context, actor.id, body))

  if (!push) return
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

/** In its own scope, because mail programs send a form, with which any site could make a browser call other routes. */
export function serveUnsubscribe(scope: FastifyInstance, serve: Serve, context: Context): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 16 * 1024 }, (_request, _body, done) =>
    done(null),
  )
  const { unsubscribe: route } = notificationRoutes
  for (const locale of locales) {
    const path = withLocale(locale, route.path)
    // The API document lists the route of the contract itself.
    serve(locale === 'en' ? route : { ...route, path }, async ({ query }) => ({
      kind: await stopMails(context, query.token),
    }))
  }
}
