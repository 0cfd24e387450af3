import { brandRoutes as routes } from '#contract/brands.ts'
import type { Context, Terms } from '#server/context.ts'
import { type Encoded, encode, sendEncoded } from '#server/http/encoded.ts'
import type { Serve } from '#server/http/serve.ts'
import * as brands from './actions.ts'

export function serveCatalog(serve: Serve, context: Context): void {
  let latest: { terms: Terms; encoded: Promise<Encoded> } | undefined
  serve(routes.brands, async ({ request, reply }) => {
    const terms = await context.catalog.current()
    if (latest?.terms !== terms) latest = { terms, encoded: encode(terms.body) }
    reply.header('cache-control', 'public, no-cache').type('application/json; charset=utf-8')
    return sendEncoded(request, reply, await latest.encoded)
  })
}

export function serveBrands(serve: Serve, context: Context): void {
  serve(routes.staffBrands, () => brands.listBrands(context))

  serve(routes.addBrand, ({ actor, body }) => brands.addBrand(context, actor, body))

  serve(routes.changeBrand, ({ actor, params, body }) =>
    brands.changeBrand(context, actor, params.slug, body),
  )
}
