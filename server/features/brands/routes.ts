import { brandRoutes as routes } from '#contract/brands.ts'
import type { Context } from '#server/context.ts'
import { hasAlready } from '#server/http/etag.ts'
import type { Serve } from '#server/http/serve.ts'
import * as brands from './actions.ts'

export function serveCatalog(serve: Serve, context: Context): void {
  serve(routes.brands, async ({ request, reply }) => {
    const { body, etag } = await context.catalog.current()
    reply.header('cache-control', 'public, no-cache').header('etag', etag)
    if (hasAlready(request, etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
}

export function serveBrands(serve: Serve, context: Context): void {
  serve(routes.staffBrands, () => brands.listBrands(context))

  serve(routes.addBrand, ({ actor, body }) => brands.addBrand(context, actor, body))

  serve(routes.changeBrand, ({ actor, params, body }) =>
    brands.changeBrand(context, actor, params.slug, body),
  )
}
