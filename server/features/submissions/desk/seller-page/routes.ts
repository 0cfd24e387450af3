import { sellerRoutes } from '#contract/sellers.ts'
import type { Context } from '#server/context.ts'
import { byId, finishPage } from '#server/http/paging.ts'
import type { Serve } from '#server/http/serve.ts'
import { addNote, listNotes } from './notes.ts'
import { readSeller } from './seller.ts'
import { changeState } from './state.ts'

export function serveSellerPage(serve: Serve, context: Context): void {
  serve(sellerRoutes.staffSeller, ({ actor, query }) => readSeller(context, actor, query.id))

  serve(sellerRoutes.changeSellerState, async ({ actor, query, body }) => {
    await changeState(context, actor, query.id, body)
    return readSeller(context, actor, query.id)
  })

  serve(sellerRoutes.notes, async ({ actor, query, request, reply }) => {
    const found = await listNotes(context, actor, query)
    return finishPage(request, reply, { ...found, limit: query.limit }, byId)
  })

  serve(sellerRoutes.addNote, ({ actor, body }) => addNote(context, actor, body))
}
