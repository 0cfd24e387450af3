import type { FastifyInstance } from 'fastify'
import { notificationRoutes as routes } from '#contract/notifications.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import { locales, withLocale } from '#words/locales.ts'
import { changeSettings, listSettings, unsubscribe } from './actions.ts'

export function serveNotifications(serve: Serve, context: Context): void {
  serve(routes.notifications, ({ actor }) => listSettings(context.db, actor.id))

  serve(routes.changeNotifications, ({ actor, body }) => changeSettings(context, actor.id, body))
}

/** In its own scope, because mail programs send a form, with which any site could make a browser call other routes. */
export function serveUnsubscribe(scope: FastifyInstance, serve: Serve, context: Context): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 16 * 1024 }, (_request, _body, done) =>
    done(null),
  )
  for (const locale of locales) {
    const path = withLocale(locale, routes.unsubscribe.path)
    // The API document lists the route of the contract itself.
    serve(locale === 'en' ? routes.unsubscribe : { ...routes.unsubscribe, path }, async ({ query }) => ({
      kind: await unsubscribe(context, query.token),
    }))
  }
}
