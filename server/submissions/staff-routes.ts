import { Readable } from 'node:stream'
import { staffRoutes as routes } from '#contract/staff.ts'
import type { Context } from '#server/context.ts'
import { finishPage } from '#server/http/pages.ts'
import type { Serve } from '#server/http/serve.ts'
import { clearSubmissions } from './clear.ts'
import { listDuplicates, readSellerRecord } from './duplicates.ts'
import { exportTransactions, listAllTransactions } from './transactions.ts'

/** What staff do beside reviewing one submission. */
export function serveOversight(serve: Serve, context: Context): void {
  serve(routes.clearSubmissions, async ({ actor }) => {
    const deletedCount = await clearSubmissions(context, actor)
    const message = deletedCount === 1 ? '1 submission cleared' : `${deletedCount} submissions cleared`
    return { message, deletedCount }
  })

  serve(routes.duplicates, ({ params }) => listDuplicates(context, params.id))

  serve(routes.sellerRecord, ({ params }) => readSellerRecord(context, params.id))

  serve(routes.staffTransactions, async ({ query, request, reply }) => {
    const found = await listAllTransactions(context, query)
    return finishPage(request, reply, { ...found, limit: query.limit }, ({ giftCardId }) => giftCardId)
  })

  serve(routes.exportTransactions, async ({ actor, query, reply }) => {
    const csv = await exportTransactions(context, actor, query)
    const day = new Date().toISOString().slice(0, 10)
    return reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="transactions-${day}.csv"`)
      .send(Readable.from(csv))
  })
}
