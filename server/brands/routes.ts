import { createHash } from 'node:crypto'
import { brandRoutes as routes, type WireBrand } from '#contract/brands.ts'
import { toWire } from '#contract/values.ts'
import { type Brand, brands, monogram } from '#domain/brands.ts'
import type { Serve } from '#server/http/serve.ts'

export function serveBrands(serve: Serve): void {
  // Encoded once: the catalogue is the same for everybody.
  const body = JSON.stringify(brands.map(toWireBrand))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

  serve(routes.brands, async ({ request, reply }) => {
    reply.header('cache-control', 'public, max-age=60').header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
}

function toWireBrand({ name, value, category, rate, minimum, maximum, popular }: Brand): WireBrand {
  return {
    name,
    value,
    category,
    rate: toWire(rate),
    icon: monogram(name),
    minAmount: toWire(minimum),
    maxAmount: toWire(maximum),
    popular,
  }
}
