import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses a request that changes something if a browser sent it from another site. */
export function refuseCrossSite(request: FastifyRequest, allowedOrigin: string | undefined): void {
  if (!SAFE.has(request.method)) requireSameSite(request, allowedOrigin)
}

/**
 * Refuses a request that a browser sent from another site, by Sec-Fetch-Site, or by Origin in old browsers and over plain
 * http. Programs send neither and are not refused.
 * Source: https://developer.mozilla.org/docs/Web/HTTP/Headers/Sec-Fetch-Site
 */
export function requireSameSite(request: FastifyRequest, allowedOrigin: string | undefined): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw crossSite()
    return
  }
  const { origin } = request.headers
  if (origin !== undefined && origin !== (allowedOrigin ?? ownOrigin(request))) throw crossSite()
}

/** Without PUBLIC_URL, the site is at the address the request was sent to. */
function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`
}

function crossSite(): Refusal {
  return new Refusal('cross_site', 'refusals.cross_site')
}
