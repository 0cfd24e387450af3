import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemRoutes as routes } from '#contract/system.ts'
import type { Context } from '#server/context.ts'
import type { Serve } from '#server/http/serve.ts'
import { discardJob, retryJob, sendTestMail } from './actions.ts'
import type { Operation } from './findings.ts'
import { readReport } from './report.ts'

const GUIDE = join(import.meta.dirname, '../../../docs/operating.md')

export function serveSystem(serve: Serve, context: Context, operation: Operation): void {
  serve(routes.system, () => readReport(context, operation))

  serve(routes.operatingGuide, async ({ reply }) =>
    reply.type('text/plain; charset=utf-8').send(await readFile(GUIDE)),
  )

  serve(routes.sendTestMail, ({ actor, body }) => sendTestMail(context, operation, actor, body))

  serve(routes.retryJob, async ({ actor, body, request }) => {
    await retryJob(context, actor, body.id)
    return { message: request.words('done.job_retried') }
  })

  serve(routes.discardJob, async ({ actor, body, request }) => {
    await discardJob(context, actor, body.id)
    return { message: request.words('done.job_discarded') }
  })
}
