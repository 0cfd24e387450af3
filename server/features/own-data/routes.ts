import { ownDataRoutes as routes } from '#contract/own-data.ts'
import type { Context } from '#server/context.ts'
import { announceDownload, type KnownBrowsers, requirePassword } from '#server/features/accounts/own-data.ts'
import type { Sessions } from '#server/features/accounts/sessions/sessions.ts'
import type { Serve } from '#server/http/serve.ts'
import { deleteAccount } from './erase.ts'
import { exportOwnData } from './export.ts'

interface Tools {
  readonly sessions: Sessions
  readonly browsers: KnownBrowsers
}

export function serveOwnData(serve: Serve, context: Context, { sessions, browsers }: Tools): void {
  serve(routes.exportOwnData, async ({ actor, reply }) => {
    await announceDownload(context, actor)
    const date = new Date().toISOString().slice(0, 10)
    return reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="my-data-${date}.zip"`)
      .send(exportOwnData(context, actor))
  })

  serve(routes.deleteOwnAccount, async ({ actor, body, request, reply }) => {
    const checkedHash = await requirePassword(context, browsers.guard(request), actor, body.password)
    await deleteAccount(context, { id: actor.id, by: 'seller', checkedHash })
    await sessions.end('seller', request, reply)
    return { message: request.words('done.account_deleted') }
  })
}
