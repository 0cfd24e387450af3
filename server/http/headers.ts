import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'
import type { Site } from '#server/platform/config/site.ts'

/** What browsers are told to refuse on the pages and answers of this site. */
export async function sendSecurityHeaders(
  app: FastifyInstance,
  site: Pick<Site, 'https' | 'hstsSubdomains'>,
): Promise<void> {
  const headers = await writtenOnce(helmetOptions(site))
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** Helmet writes the same words anew for each request, which takes longer than many an answer. */
async function writtenOnce(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const probe = fastify()
  const written: Record<string, string> = {}
  await probe.register(helmet, options)
  probe.get('/', async (_request, reply) => {
    const sent = Object.entries({ ...reply.raw.getHeaders(), ...reply.getHeaders() })
    for (const [name, value] of sent) written[name] = String(value)
    return ''
  })
  await probe.inject('/')
  await probe.close()
  return written
}

function helmetOptions({
  https,
  hstsSubdomains = false,
}: Pick<Site, 'https' | 'hstsSubdomains'>): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // blob: is the preview of a photo before it is sent.
        imgSrc: ["'self'", 'blob:', 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        // Text never becomes a script, wherever a page might put it; nobody may make an exception.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    strictTransportSecurity: https ? { maxAge: 63_072_000, includeSubDomains: hstsSubdomains } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
  }
}
