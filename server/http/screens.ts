import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pageFileOf, pageFiles, screenList } from '#contract/screens.ts'
import type { Site } from '#server/platform/config/site.ts'
import { sendRefusal } from './errors.ts'
import { hasAlready } from './etag.ts'
import { type PageBody, PageFiles } from './page-files.ts'
import { allowInline } from './page-policy.ts'
import { notFound, Refusal } from './refusal.ts'

/** Above every page of a demo, outside of what the app draws. Its looks are in web/kit/demo-line.css. */
const DEMO_LINE =
  '<aside class="demo-line" aria-label="Demo">This is a demo. The people are invented, the cards are drawn, nothing is paid.</aside>'

/** Names with a hash in them never change; everything else is asked for anew. */
const HASHED = /\/assets\//

/**
 * Serves the built web app: its files, its page at each of its addresses, and the 404 page at any other address
 * that a browser opens. A missing file or call gets an error and not the page.
 */
export async function serveScreens(app: FastifyInstance, folder: string, site: Site): Promise<void> {
  await serveFiles(app, folder)
  const pages = await PageFiles.read(folder, site.isDemo ? DEMO_LINE : '')

  async function sendPage(request: FastifyRequest, reply: FastifyReply, file: string, indexed: boolean) {
    const page = await pages.get(file, site.publicUrl)
    if (!page) return sendRefusal(new Refusal('busy', 'The pages of this site are not built yet'), reply)
    if (!indexed) reply.header('x-robots-tag', 'noindex')
    return sendText(request, reply.type('text/html; charset=utf-8'), page)
  }

  for (const screen of screenList) {
    app.get(screen.path, (request, reply) => sendPage(request, reply, pageFileOf(screen), screen.indexed))
  }
  for (const [name, { type, write }] of Object.entries(listings)) {
    app.get(`/${name}`, async (request, reply) =>
      sendText(request, reply.type(type), await pages.make(name, site.publicUrl, write)),
    )
  }
  app.setNotFoundHandler((request, reply) => {
    if (!opensPage(request)) return sendRefusal(notFound(), reply)
    const meant = withoutLastSlash(request.url)
    if (meant) return reply.redirect(meant, 308)
    const file = isStaffs(request.url) ? pageFiles.staff : pageFiles.notFound
    return sendPage(request, reply.code(404), file, false)
  })
}

async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(staticFiles, {
    root: folder,
    index: false,
    preCompressed: true,
    cacheControl: false,
    // Pages are sent at their addresses, with the site's own origin in them.
    allowedPath: (path) => !path.endsWith('.html'),
    setHeaders: (response, path) => {
      const cache = HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
      response.header('cache-control', cache)
    },
  })
}

/** Sends what is ready, encoded as the client asks, or 304 when the client has it. */
export function sendText(request: FastifyRequest, reply: FastifyReply, body: PageBody): FastifyReply {
  reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', body.etag)
  const policy = reply.getHeader('content-security-policy')
  if (policy) reply.header('content-security-policy', allowInline(String(policy), body.inline))
  if (reply.statusCode === 200 && hasAlready(request, body.etag)) return reply.code(304).send()
  const encoding = (['br', 'gzip'] as const).find((name) => accepts(request, name))
  if (!encoding) return reply.send(body.plain)
  return reply.header('content-encoding', encoding).send(body[encoding])
}

function accepts({ headers }: FastifyRequest, encoding: string): boolean {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .some((part) => part === encoding || (part.startsWith(`${encoding};`) && !/;\s*q=0(\.0+)?$/.test(part)))
}

const NO_PAGES = /^\/(api|ws|uploads|assets)(\/|$)/

function opensPage({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && !NO_PAGES.test(pathOf(url)) && (headers.accept ?? '').includes('text/html')
}

function isStaffs(url: string): boolean {
  return pathOf(url).startsWith('/admin/')
}

/** The address of a screen that was asked for with a slash at its end. */
function withoutLastSlash(url: string): string | undefined {
  const path = pathOf(url)
  const meant = screenList.find((screen) => path === `${screen.path}/`)
  return meant && meant.path + url.slice(path.length)
}

/** By hand: not everything that arrives as an address is one. */
function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? url
}

/** Private screens aren't listed here: a crawler has to open them to learn that it may not show them. */
function robots(origin: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`
}

function sitemap(origin: string): string {
  const addresses = screenList
    .filter(({ indexed }) => indexed)
    .map(({ path }) => `  <url><loc>${new URL(path, origin).href.replaceAll('&', '&amp;')}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.join('\n')}
</urlset>
`
}

const listings = {
  'robots.txt': { type: 'text/plain; charset=utf-8', write: robots },
  'sitemap.xml': { type: 'application/xml; charset=utf-8', write: sitemap },
}

export const builtWeb = join(import.meta.dirname, '../../dist/web')
