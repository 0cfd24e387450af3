import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  FIGURES_MARK,
  figureMark,
  localesOf,
  OFFLINE_PATH,
  ORIGIN_MARK,
  pageFileOf,
  pageFiles,
  screenList,
  screens,
} from '#contract/screens.ts'
import type { Figures, LiveFigure } from '#domain/shop-brand.ts'
import type { Words } from '#server/context.ts'
import type { Site } from '#server/platform/config/site.ts'
import { locales, splitLocale, withLocale } from '#words/locales.ts'
import { allowInline, Documents, type EncodedDocument, type Marks } from './documents.ts'
import { sendEncoded } from './encoded.ts'
import { sendRefusal } from './errors.ts'
import { notFound, Refusal } from './refusal.ts'

/**
 * Shown above every page of a demo, outside the app. In every language: web/kit/theme.css shows the page's, which the app can
 * change.
 */
const demoLine = (words: Words) =>
  `<aside class="demo-line" aria-label="Demo">${locales.map((locale) => `<span lang="${locale}">${words[locale]('documents.demo')}</span>`).join('')}</aside>`

/** Files here have a hash in their name, so they never change. */
const HASHED = /\/assets\//

const WORKER = '/service-worker.js'
/** What the service worker itself may do: fetch from this site. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'"

/** Replaces the service worker in every browser that has one: it empties the caches and removes itself. */
const retiredWorker = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(retire()))
async function retire() {
  for (const name of await caches.keys()) await caches.delete(name)
  await registration.unregister()
}
`

/**
 * Serves the built web app: its files, a document at each screen's address, and the 404 page at any other address that a
 * browser opens. A missing file or call gets an error instead of a page.
 */
export async function serveScreens(
  app: FastifyInstance,
  folder: string,
  { site, figures, words, onPage }: ScreensOptions,
): Promise<void> {
  await serveFiles(app, folder)
  const more = { 'robots.txt': robots, 'sitemap.xml': sitemap() }
  const banner = site.isDemo ? demoLine(words) : ''
  const documents = await Documents.read(folder, { more, banner })

  // Only a brand with live claims needs them.
  const hasFigures = documents.contain(FIGURES_MARK)

  async function send(request: FastifyRequest, reply: FastifyReply, file: string, type: string) {
    const marks = { [ORIGIN_MARK]: site.publicUrl, ...(hasFigures && marksOf(await figures())) }
    const document = await documents.get(file, marks)
    if (!document) return sendRefusal(new Refusal('busy', 'refusals.pages_missing'), reply)
    return sendDocument(request, reply.type(`${type}; charset=utf-8`), document)
  }
  function sendPage(request: FastifyRequest, reply: FastifyReply, file: string, mayBeFound: boolean) {
    if (!mayBeFound) reply.header('x-robots-tag', 'noindex')
    onPage?.(request, reply)
    return send(request, reply, file, 'text/html')
  }

  for (const screen of screenList) {
    for (const locale of localesOf(screen)) {
      const file = pageFileOf(screen, locale)
      app.get(withLocale(locale, screen.path), (request, reply) => {
        if (screen.name === 'contactChat' && !hasSession(request)) {
          return reply.redirect(withLocale(locale, screens.contact.path))
        }
        return sendPage(request, reply, file, screen.indexed || screen.canonical !== undefined)
      })
    }
  }
  for (const locale of locales) {
    app.get(withLocale(locale, OFFLINE_PATH), (request, reply) =>
      sendPage(request, reply, pageFiles.offline(locale), false),
    )
  }
  if (site.serviceWorker === false) {
    app.get(WORKER, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(retiredWorker),
    )
  }
  app.get('/robots.txt', (request, reply) => send(request, reply, 'robots.txt', 'text/plain'))
  app.get('/sitemap.xml', (request, reply) => send(request, reply, 'sitemap.xml', 'application/xml'))
  app.get('/.well-known/security.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(securityText(site.publicUrl)),
  )
  app.setNotFoundHandler((request, reply) => {
    if (!opensPage(request)) return sendRefusal(notFound(), reply)
    const withoutSlash = withoutLastSlash(request.url)
    if (withoutSlash) return reply.redirect(withoutSlash, 308)
    const { locale, path } = splitLocale(pathOf(request.url))
    if (locale !== 'en' && isStaffPath(path)) return reply.redirect(path, 308)
    const file = isStaffPath(path) ? pageFiles.staff : pageFiles.notFound(locale)
    return sendPage(request, reply.code(404), file, false)
  })
}

interface ScreensOptions {
  site: Site
  figures: () => Promise<Figures>
  words: Words
  /** Called before a page is sent. */
  onPage?: (request: FastifyRequest, reply: FastifyReply) => void
}

function marksOf(figures: Figures): Marks {
  const each = Object.entries(figures).map(([name, text]) => [figureMark(name as LiveFigure), text])
  return { ...Object.fromEntries(each), [FIGURES_MARK]: JSON.stringify(figures) }
}

/** The worker that reads barcodes runs WebAssembly, which pages may not, and can connect to nothing. */
const SCAN_WORKER = /scan-worker-[\w-]+\.js(\.br|\.gz)?$/
const SCAN_WORKER_POLICY =
  "default-src 'none'; script-src 'wasm-unsafe-eval'; require-trusted-types-for 'script'"

async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(staticFiles, {
    root: folder,
    index: false,
    preCompressed: true,
    cacheControl: false,
    // Documents are sent at the addresses of their screens, after the site's origin was filled in.
    allowedPath: (path) => !path.endsWith('.html'),
    setHeaders: (response, path) => {
      const cache = HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
      response.header('cache-control', cache)
      if (path.includes(WORKER)) response.header('content-security-policy', WORKER_POLICY)
      // Emails show the logo, and webmail is another site.
      if (path.endsWith('/icon-192.png')) response.header('cross-origin-resource-policy', 'cross-origin')
      if (SCAN_WORKER.test(path)) response.header('content-security-policy', SCAN_WORKER_POLICY)
    },
  })
}

function sendDocument(request: FastifyRequest, reply: FastifyReply, document: EncodedDocument): FastifyReply {
  reply.header('cache-control', 'no-cache')
  const policy = reply.getHeader('content-security-policy')
  if (policy) reply.header('content-security-policy', allowInline(String(policy), document.inline))
  return sendEncoded(request, reply, document)
}

const NO_PAGES = /^\/(api|ws|uploads|assets)(\/|$)/

function opensPage({ method, url, headers }: FastifyRequest): boolean {
  return method === 'GET' && !NO_PAGES.test(pathOf(url)) && (headers.accept ?? '').includes('text/html')
}

function isStaffPath(path: string): boolean {
  return path === '/admin' || path.startsWith('/admin/')
}

/** The address of the screen if only the slash at the end is wrong. */
function withoutLastSlash(url: string): string | undefined {
  const path = pathOf(url)
  const { locale, path: rest } = splitLocale(path.replace(/\/$/, ''))
  const found = path.endsWith('/') && screenList.find((screen) => rest === screen.path)
  return found ? withLocale(locale, found.path) + url.slice(path.length) : undefined
}

/** Whether an address of the chat names a conversation. Without one there is only the form to show. */
function hasSession({ query }: FastifyRequest): boolean {
  return Boolean((query as { session?: string }).session)
}

/** Avoids `new URL`, which throws for some of the addresses that clients send. */
function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? url
}

/** Private screens are not listed: a crawler has to open them to see that it must not index them. */
const robots = `User-agent: *\nDisallow: /api/\n\nSitemap: ${ORIGIN_MARK}/sitemap.xml\n`

/** RFC 9116. A reader must not trust it longer than it says. */
function securityText(origin: string): string {
  const expires = new Date(Date.now() + 90 * 24 * 3_600_000).toISOString()
  return `Contact: ${origin}${screens.contact.path}\nExpires: ${expires}\nPreferred-Languages: ${locales.join(', ')}\nCanonical: ${origin}/.well-known/security.txt\n`
}

function sitemap(): string {
  const addresses = screenList
    .filter(({ indexed }) => indexed)
    .flatMap((screen) => localesOf(screen).map((locale) => withLocale(locale, screen.path)))
    .map((path) => `  <url><loc>${ORIGIN_MARK}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.join('\n')}
</urlset>
`
}

export const builtWeb = join(import.meta.dirname, '../../dist/web')
