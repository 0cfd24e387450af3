import { holdRoutes } from '#contract/holds.ts'
import { staffRoutes as routes } from '#contract/staff.ts'
import { staffSubmissionRoutes } from '#contract/staff-submissions.ts'
import type { Context } from '#server/context.ts'
import { sendCsv } from '#server/http/csv.ts'
import { parseWith } from '#server/http/errors.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { byId, finishPage } from '#server/http/paging.ts'
import { isFormType, type Serve } from '#server/http/serve.ts'
import { askBalanceAgain } from '../balance-requests.ts'
import { listDuplicates, readSellerRecord } from '../duplicates.ts'
import { liftHold, listHolds, placeHold } from '../holds.ts'
import { type ReceivedPhoto, readPhoto, sendPhoto } from '../photos.ts'
import { ONE_PHOTO, withUpload } from '../upload.ts'
import { acknowledgeRisk } from './acknowledge.ts'
import {
  listSubmissions,
  moveSubmission,
  readHistory,
  readSubmission,
  recordDownload,
  recordLook,
  reveal,
} from './actions.ts'
import { listBalanceChecks, recordBalanceCheck } from './balance-checks.ts'
import { clearSubmissions, countClearable, countKept } from './clear.ts'
import { claimNext, countViews } from './queue.ts'
import { answeredCursor, startsWithAnswered } from './search.ts'
import { exportTransactions, listTransactions } from './transactions.ts'
import { undoMove } from './undo.ts'

export function serveStaffSubmissions(serve: Serve, context: Context, limits: Limits): void {
  serveReview(serve, context)
  serveBalanceChecks(serve, context)
  servePhotos(serve, context, limits)
  serveHolds(serve, context)
  serveOversight(serve, context)
}

function serveReview(serve: Serve, context: Context): void {
  for (const route of [staffSubmissionRoutes.staffSubmissions, staffSubmissionRoutes.staffGiftCards]) {
    serve(route, async ({ actor, query, request, reply }) => {
      const found = await listSubmissions(context, actor, query)
      const page = { ...found, limit: query.limit }
      return finishPage(request, reply, page, startsWithAnswered(query) ? answeredCursor : ({ id }) => id)
    })
  }

  serve(staffSubmissionRoutes.queue, () => countViews(context))

  serve(staffSubmissionRoutes.claimNext, async ({ actor, body, reply }) => {
    const claimed = await claimNext(context, actor, body ?? {})
    if (claimed) reply.code(200)
    return claimed ?? null
  })

  serve(staffSubmissionRoutes.staffSubmission, ({ actor, params }) =>
    readSubmission(context, actor, params.id),
  )

  serve(staffSubmissionRoutes.staffHistory, ({ actor, params }) => readHistory(context, actor, params.id))

  serve(staffSubmissionRoutes.moveSubmission, ({ actor, params, body: { status, ...more } }) =>
    moveSubmission(context, actor, params.id, { to: status, ...more }),
  )

  serve(staffSubmissionRoutes.undoMove, ({ actor, params, body }) =>
    undoMove(context, actor, params.id, body.version),
  )

  serve(staffSubmissionRoutes.acknowledgeRisk, ({ actor, params, body }) =>
    acknowledgeRisk(context, actor, params.id, body),
  )

  serve(staffSubmissionRoutes.askBalance, async ({ actor, params }) => {
    await askBalanceAgain(context, actor, params.id)
    return readSubmission(context, actor, params.id)
  })

  serve(staffSubmissionRoutes.reveal, ({ actor, params }) => reveal(context, actor, params.id))
}

function serveBalanceChecks(serve: Serve, context: Context): void {
  serve(staffSubmissionRoutes.balanceChecks, ({ actor, params }) =>
    listBalanceChecks(context, actor, params.id),
  )

  const recordRoute = staffSubmissionRoutes.recordBalanceCheck
  serve(recordRoute, ({ actor, params, request }) => {
    const save = (sent: unknown, photo?: ReceivedPhoto) =>
      recordBalanceCheck(context, actor, params.id, parseWith(recordRoute.body, sent), photo)
    if (!isFormType(request.headers['content-type'])) return save(request.body)
    return withUpload(
      request,
      context.decoder,
      ({ fields, photos }) => save({ ...fields }, photos[0]),
      ONE_PHOTO,
    )
  })
}

function servePhotos(serve: Serve, context: Context, limits: Limits): void {
  serve(staffSubmissionRoutes.viewPhoto, async ({ actor, params, query, reply }) => {
    const photo = await readPhoto(context, actor, params['*'], query.size)
    const isAhead = query.ahead === 'true' && query.size === 'thumbnail'
    await recordLook(context, limits, actor, photo, isAhead)
    return sendPhoto(reply, photo.bytes)
  })

  serve(staffSubmissionRoutes.downloadPhoto, async ({ actor, params, reply }) => {
    const photo = await readPhoto(context, actor, params['*'], 'full')
    await recordDownload(context, limits, actor, photo)
    reply.header('content-disposition', `attachment; filename="${params['*']}"`)
    return sendPhoto(reply, photo.bytes)
  })
}

function serveHolds(serve: Serve, context: Context): void {
  serve(holdRoutes.holds, async ({ actor, query, request, reply }) => {
    const found = await listHolds(context, actor, query)
    return finishPage(request, reply, { ...found, limit: query.limit }, byId)
  })

  serve(holdRoutes.placeHold, ({ actor, body }) => placeHold(context, actor, body))

  serve(holdRoutes.liftHold, ({ actor, body }) => liftHold(context, actor, body))
}

const keptWords = [
  ['held', 'done.kept_holds'],
  ['sent', 'done.kept_payouts'],
  ['owed', 'done.kept_returned'],
  ['gone', 'done.kept_cards'],
] as const

function serveOversight(serve: Serve, context: Context): void {
  serve(routes.clearableSubmissions, () => countClearable(context))

  serve(routes.clearSubmissions, async ({ actor, request }) => {
    const deletedCount = await clearSubmissions(context, actor)
    const kept = await countKept(context.db)
    const sentences = keptWords
      .map(([reason, key]) => [key, kept.reduce((sum, row) => sum + row[reason], 0)] as const)
      .filter(([, count]) => count > 0)
      .map(([key, count]) => request.words(key, { count }))
    const message = [request.words('done.cleared', { count: deletedCount }), ...sentences].join('. ')
    return { message, deletedCount }
  })

  serve(routes.duplicates, ({ actor, params }) => listDuplicates(context, actor, params.id))

  serve(routes.sellerRecord, ({ params }) => readSellerRecord(context, params.id))

  serve(routes.staffTransactions, async ({ actor, query, request, reply }) => {
    const found = await listTransactions(context, actor, query)
    return finishPage(request, reply, { ...found, limit: query.limit }, ({ giftCardId }) => giftCardId)
  })

  serve(routes.exportTransactions, async ({ actor, query, reply }) => {
    const csv = await exportTransactions(context, actor, query)
    const day = new Date().toISOString().slice(0, 10)
    return sendCsv(reply, `transactions-${day}`, csv)
  })
}
