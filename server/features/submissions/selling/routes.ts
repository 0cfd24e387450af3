import { createHmac } from 'node:crypto'
import { homeRoutes } from '#contract/home.ts'
import { submissionRoutes as routes } from '#contract/submissions.ts'
import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { parseWith } from '#server/http/errors.ts'
import { byId, finishPage } from '#server/http/paging.ts'
import { invalid } from '#server/http/refusal.ts'
import type { Serve } from '#server/http/serve.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { readPhoto, sendPhoto } from '../photos.ts'
import { withUpload } from '../upload.ts'
import * as submissions from './actions.ts'
import { readHome } from './home.ts'
import { changePayoutAccount, readSameAccount } from './payout-account.ts'
import { readOwnReveals } from './reveals.ts'
import { submitGiftCard } from './submit.ts'

export function serveSellerSubmissions(serve: Serve, context: Context): void {
  serve(routes.submitGiftCard, async ({ actor, request, reply }) => {
    const key = idempotencyKey(request.headers['idempotency-key'])
    const { created, ...result } = await withUpload(request, context.decoder, (upload) =>
      submitGiftCard(context, actor, upload, key),
    )
    reply.code(created ? 201 : 200)
    return result
  })

  serve(routes.draftKey, async ({ actor }) => ({ key: draftKeyOf(context.keys, actor) }))

  serve(routes.myTransactions, async ({ actor, query, request, reply }) => {
    const found = await submissions.listOwnTransactions(context, actor, query)
    return finishPage(request, reply, { ...found, limit: query.limit }, byId)
  })

  serve(routes.myEarnings, ({ actor }) => submissions.sumOwnEarnings(context, actor))

  serve(homeRoutes.myHome, ({ actor }) => readHome(context, actor))

  serve(routes.mySubmissions, async ({ actor, query: { open, ...query }, request, reply }) => {
    const found = await submissions.listOwnSubmissions(context, actor, { ...query, open: open === 'true' })
    return finishPage(request, reply, { ...found, limit: query.limit }, byId)
  })

  serve(routes.mySubmission, ({ actor, params }) => submissions.readOwnSubmission(context, actor, params.id))

  serve(routes.myHistory, ({ actor, params }) => submissions.readOwnHistory(context, actor, params.id))

  serve(routes.myReveals, ({ actor, params }) => readOwnReveals(context, actor, params.id))

  serve(routes.withdraw, ({ actor, params }) =>
    submissions.moveOwn(context, actor, params.id, { to: 'cancelled', name: 'withdraw' }),
  )

  serve(routes.acceptOffer, ({ actor, params, body }) =>
    submissions.moveOwn(context, actor, params.id, { to: 'processing', name: 'accept', amount: body.amount }),
  )

  serve(routes.declineOffer, ({ actor, params }) =>
    submissions.moveOwn(context, actor, params.id, { to: 'cancelled', name: 'decline' }),
  )

  serve(routes.appeal, ({ actor, params, request }) =>
    withUpload(request, context.decoder, async ({ fields, photos }) => {
      const { message } = parseWith(routes.appeal.body, fields)
      return submissions.appeal(context, actor, params.id, { message, photos })
    }),
  )

  serve(routes.answer, ({ actor, params, request }) =>
    withUpload(request, context.decoder, async ({ fields, photos }) => {
      const { message } = parseWith(routes.answer.body, fields)
      return submissions.answerQuestion(context, actor, params.id, { message, photos })
    }),
  )

  serve(routes.sameAccount, ({ actor, params }) => readSameAccount(context, actor, params.id))

  serve(routes.changePayoutAccount, ({ actor, params, body }) =>
    changePayoutAccount(context, actor, params.id, body),
  )

  serve(routes.myPhoto, async ({ actor, params, query, reply }) => {
    const { bytes } = await readPhoto(context, actor, params['*'], query.size)
    return sendPhoto(reply, bytes)
  })
}

function idempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header
  throw invalid([{ path: 'Idempotency-Key', code: 'idempotency_key_invalid' }])
}

/**
 * The key that seals the drafts of a session in its browser, in base64. Nothing stores it: it follows from the session, so
 * nobody gets it again once the session has ended.
 */
function draftKeyOf(keys: KeyRing, { sid }: Seller): string {
  return createHmac('sha256', keys.index).update(`draft ${sid}`).digest('base64')
}
