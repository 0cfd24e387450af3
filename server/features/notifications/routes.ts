import { notificationRoutes as routes } from '#contract/notifications.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import { changeSettings, listSettings } from './actions.ts'

export function serveNotifications(serve: Serve, context: Context): void {
  serve(routes.notifications, ({ actor }) => listSettings(context.db, actor.id))

  serve(routes.changeNotifications, ({ actor, body }) => changeSettings(context, actor.id, body))
}
