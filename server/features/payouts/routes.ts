import type { FastifyRequest } from 'fastify'
import { MAX_RESULTS_BYTES, payoutRoutes as routes } from '#contract/payouts.ts'
import { MAX_STATEMENT_BYTES, statementRoutes } from '#contract/statements.ts'
import { submissionRoutes } from '#contract/submissions.ts'
import type { FileKind } from '#domain/payout.ts'
import type { Context } from '#server/context.ts'
import { parseWith } from '#server/http/errors.ts'
import { finishPage } from '#server/http/paging.ts'
import type { Serve } from '#server/http/serve.ts'
import { readTextFile, readTextForm } from '#server/http/text-file.ts'
import {
  correctReference,
  liftDeadAccount,
  markNotSent,
  markPaid,
  markReturned,
  readPayout,
  readPayoutStop,
  remindSeller,
  revealPayout,
  takeOutPayout,
  voidPayout,
} from './actions.ts'
import { listBatches, toBatch } from './batch-queries.ts'
import { createBatch, freezeBatch, readBatch, releaseBatch, voidBatch } from './batches.ts'
import { confirmBatch } from './confirm.ts'
import { listExpectedDays, listExpectedDaysOf } from './expected-days.ts'
import { downloadFile, exportBatch } from './export.ts'
import { readCash } from './provider/cash.ts'
import { enterProviderBatch } from './provider/enter-id.ts'
import { listPayouts, sumDue, toPayout } from './queries.ts'
import { confirmRejection, reportRejection, withdrawRejection } from './reject.ts'
import { importResults } from './returns/import.ts'
import { settleBatch } from './settle.ts'
import { applyStatement, readStatement } from './statements/import.ts'

export function servePayouts(serve: Serve, context: Context): void {
  serveSingle(serve, context)
  serve(submissionRoutes.expectedPayoutDays, ({ actor, query: { giftCardId } }) =>
    giftCardId
      ? listExpectedDaysOf(context, actor, giftCardId, new Date())
      : listExpectedDays(context, new Date()),
  )
  serveBatches(serve, context)
  serve(routes.importPayoutResults, async ({ actor, request }) =>
    importResults(context, actor, await readTextFile(request, MAX_RESULTS_BYTES)),
  )
  serveStatements(serve, context)
}

function serveStatements(serve: Serve, context: Context): void {
  const { readStatement: reading, applyStatement: applying } = statementRoutes
  const read = (request: FastifyRequest) => readTextForm(request, MAX_STATEMENT_BYTES, { orLatin: true })
  serve(reading, async ({ request }) => readStatement(context, (await read(request)).text))

  serve(applying, async ({ actor, request }) => {
    const { text, fields } = await read(request)
    return applyStatement(context, actor, text, parseWith(applying.body, fields).decisions)
  })
}

const byNumber = ({ number }: { number: number }): string => String(number)

function serveSingle(serve: Serve, context: Context): void {
  serve(routes.payouts, async ({ actor, query, request, reply }) => {
    const { rows, total } = await listPayouts(context, actor, query)
    const shown = rows.map((row) => toPayout(context, actor, row))
    return finishPage(request, reply, { rows: shown, total, limit: query.limit }, byNumber)
  })

  serve(routes.duePayouts, () => sumDue(context))

  serve(routes.payoutCash, () => readCash(context))

  serve(routes.payoutStop, () => readPayoutStop(context.db))

  serve(routes.payout, ({ actor, params }) => readPayout(context, actor, params.id))

  serve(routes.revealPayout, ({ actor, params }) => revealPayout(context, actor, params.id))

  serve(routes.markPayoutPaid, ({ actor, params, body }) => markPaid(context, actor, params.id, body ?? {}))

  serve(routes.returnPayout, ({ actor, params, body }) =>
    markReturned(context, actor, params.id, body.reason),
  )

  serve(routes.liftDeadAccount, ({ actor, params, body }) =>
    liftDeadAccount(context, actor, params.id, body.reason),
  )

  serve(routes.remindToConfirm, ({ actor, params }) => remindSeller(context, actor, params.id))

  serve(routes.recordNotSent, ({ actor, params }) => markNotSent(context, actor, params.id))

  serve(routes.correctReference, ({ actor, params, body }) =>
    correctReference(context, actor, params.id, body),
  )

  serve(routes.takeOutPayout, ({ actor, params }) => takeOutPayout(context, actor, params.id))

  serve(routes.voidPayout, ({ actor, params, body }) => voidPayout(context, actor, params.id, body.reason))
}

const fileTypes: Readonly<Record<FileKind, string>> = {
  nacha: 'text/plain; charset=us-ascii',
  paypal: 'text/csv; charset=utf-8',
  worksheet: 'text/csv; charset=utf-8',
}

function serveBatches(serve: Serve, context: Context): void {
  serve(routes.payoutBatches, async ({ query, request, reply }) => {
    const { rows, total } = await listBatches(context.db, query)
    const shown = await Promise.all(rows.map((row) => toBatch(context, row)))
    return finishPage(request, reply, { rows: shown, total, limit: query.limit }, byNumber)
  })

  serve(routes.createBatch, ({ actor, body }) => createBatch(context, actor, body))

  serve(routes.payoutBatch, ({ params }) => readBatch(context, params.id))

  serve(routes.freezeBatch, ({ actor, params }) => freezeBatch(context, actor, params.id))

  serve(routes.releaseBatch, ({ actor, params, body }) => releaseBatch(context, actor, params.id, body ?? {}))

  serve(routes.voidBatch, ({ actor, params }) => voidBatch(context, actor, params.id))

  serve(routes.exportBatch, ({ actor, params }) => exportBatch(context, actor, params.id))

  serve(routes.batchFile, async ({ actor, params, reply }) => {
    const { bytes, name, kind } = await downloadFile(context, actor, params.id)
    return reply
      .type(fileTypes[kind])
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(bytes)
  })

  serve(routes.confirmBatch, ({ actor, params, body }) =>
    confirmBatch(context, actor, params.id, body?.reference),
  )

  serve(routes.reportRejection, ({ actor, params, body }) =>
    reportRejection(context, actor, params.id, body.reason),
  )

  serve(routes.confirmRejection, ({ actor, params }) => confirmRejection(context, actor, params.id))

  serve(routes.enterProviderBatch, ({ actor, params, body }) =>
    enterProviderBatch(context, actor, params.id, body.providerBatchId),
  )

  serve(routes.settleBatch, ({ actor, params, body }) => settleBatch(context, actor, params.id, body))

  serve(routes.withdrawRejection, ({ actor, params }) => withdrawRejection(context, actor, params.id))
}
