import { ownDataRoutes as routes } from '#contract/own-data.ts'
import type { Context } from '#server/context.ts'
import { announceDownload } from '#server/features/people/own-data.ts'
import type { Serve } from '#server/http/serve.ts'
import { exportOwnData } from './export.ts'

export function serveOwnData(serve: Serve, context: Context): void {
  serve(routes.exportOwnData, async ({ actor, reply }) => {
    await announceDownload(context, actor)
    const date = new Date().toISOString().slice(0, 10)
    return reply
      .type('application/zip')
      .header('content-disposition', `attachment; filename="my-data-${date}.zip"`)
      .send(exportOwnData(context, actor))
  })
}
