import type { FastifyRequest } from 'fastify'
import { Refusal } from './refusal.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses a request that changes something when a browser sent it from another site. */
export function refuseCrossSite(request: FastifyRequest, allowedOrigin: string | undefined): void {
  if (!SAFE.has(request.method)) requireSameSite(request, allowedOrigin)
}

/**
 * The rule itself; it guards the live channel's handshake too. A browser says where a request comes from in
 * Sec-Fetch-Site, an old one (or plain http) in Origin; a script that sends neither is let through.
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

/** Without PUBLIC_URL the site is wherever the request was sent to. */
function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`
}

function crossSite(): Refusal {
  return new Refusal('cross_site', 'This request came from another site')
}
