import { reportRoutes as routes } from '#contract/reports.ts'
import { isReport, type ReportName } from '#domain/reports.ts'
import type { Context } from '#server/context.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Serve } from '#server/http/serve.ts'
import { exportReport, readReport } from './reports.ts'

export function serveReports(serve: Serve, context: Context): void {
  serve(routes.report, async ({ params, query }) => [
    ...(await readReport(context, known(params.name), query)),
  ])

  serve(routes.exportReport, async ({ actor, params, query, reply }) => {
    const name = known(params.name)
    const csv = await exportReport(context, actor, name, query)
    return reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="${name}-${query.from}-${query.to}.csv"`)
      .send(csv)
  })
}

function known(name: string): ReportName {
  if (!isReport(name)) throw notFound()
  return name
}
