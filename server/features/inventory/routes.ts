import type { FastifyRequest } from 'fastify'
import { inventoryRoutes as routes } from '#contract/inventory.ts'
import type { Context } from '#server/context.ts'
import type { Staff } from '#server/http/actor.ts'
import { sendCsv } from '#server/http/csv.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { byId, finishPage } from '#server/http/paging.ts'
import { valuesOf } from '#server/http/refusal.ts'
import type { Serve } from '#server/http/serve.ts'
import { changeItem, changeItems, toStockAnswer, writeOff } from './actions.ts'
import { countCards, exportCodes, listExports, readExport } from './codes.ts'
import { exportStock, importStock } from './csv.ts'
import { countStock, selectStock, sumStock } from './queries.ts'

/** Throws `Refusal` if it is not the administrator's own password. */
type RequirePassword = (request: FastifyRequest, staff: Staff, password: string) => Promise<unknown>

export function serveInventory(
  serve: Serve,
  context: Context,
  guards: { limits: Limits; requirePassword: RequirePassword },
): void {
  serveLists(serve, context)
  serveChanges(serve, context)
  serveCodes(serve, context, guards)
}

function serveLists(serve: Serve, context: Context): void {
  serve(routes.inventory, async ({ actor, query, request, reply }) => {
    const [rows, total] = await Promise.all([
      selectStock(context, actor, query),
      countStock(context, actor, query),
    ])
    return finishPage(request, reply, { rows: rows.map(toStockAnswer), total, limit: query.limit }, byId)
  })

  serve(routes.stockTotals, ({ actor, query }) => sumStock(context, actor, query))

  serve(routes.exportStock, async ({ actor, query, reply }) => {
    const csv = await exportStock(context, actor, query)
    return sendCsv(reply, `inventory-${today()}`, csv)
  })
}

function serveChanges(serve: Serve, context: Context): void {
  serve(routes.changeStock, ({ actor, params, body }) => changeItem(context, actor, params.id, body))

  serve(routes.changeStocks, async ({ actor, body, request: { words } }) => {
    const { changed, refused } = await changeItems(context, actor, body)
    return {
      changed,
      refused: refused.map(({ id, refusal: { code, key, params } }) => ({
        id,
        code,
        message: words(key, valuesOf(params, words)),
      })),
    }
  })

  serve(routes.importStock, ({ actor, body, request }) =>
    importStock(context, actor, body.csv, request.words),
  )

  serve(routes.writeOff, ({ actor, params, body }) => writeOff(context, actor, params.id, body?.amount))
}

function serveCodes(
  serve: Serve,
  context: Context,
  { limits, requirePassword }: { limits: Limits; requirePassword: RequirePassword },
): void {
  /** A file counts as a reveal of each card, unless it was refused. */
  async function counted<File>({ id }: Staff, cards: number, make: () => Promise<File>): Promise<File> {
    await limits.count('reveal', id, cards)
    try {
      return await make()
    } catch (error) {
      await limits.giveBack('reveal', id, cards)
      throw error
    }
  }

  serve(routes.exportCodes, async ({ actor, body: { ids, password }, request, reply }) => {
    await requirePassword(request, actor, password)
    const { id, file } = await counted(actor, ids.length, () => exportCodes(context, actor, ids))
    reply.header('content-location', routes.codeExport.path.replace(':id', id))
    return sendCsv(reply, codesName(id), file)
  })

  serve(routes.codeExports, ({ actor }) => listExports(context, actor))

  serve(routes.codeExport, async ({ actor, params: { id }, body, request, reply }) => {
    await requirePassword(request, actor, body.password)
    const cards = await countCards(context, actor, id)
    return sendCsv(reply, codesName(id), await counted(actor, cards, () => readExport(context, actor, id)))
  })
}

const today = () => new Date().toISOString().slice(0, 10)
const codesName = (id: string) => `codes-${id.slice(-8)}`
