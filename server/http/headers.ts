import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Site } from '#server/platform/config/site.ts'

/** What browsers must refuse on the pages and answers of this site. */
export async function sendSecurityHeaders(
  app: FastifyInstance,
  { https, hstsSubdomains = false }: Pick<Site, 'https' | 'hstsSubdomains'>,
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // The preview of a photo before it is sent is a blob.
        imgSrc: ["'self'", 'blob:', 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        // No text becomes a script, wherever a page puts it. The exceptions are the addresses of two workers.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['service-worker', 'scan-worker'],
      },
    },
    strictTransportSecurity: https ? { maxAge: 63_072_000, includeSubDomains: hstsSubdomains } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
  })
}
