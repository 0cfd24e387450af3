import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  FIGURES_MARK,
  figureMark,
  ORIGIN_MARK,
  pageFileOf,
  pageFiles,
  screenList,
  screens,
} from '#contract/screens.ts'
import type { Site } from '#server/platform/config/site.ts'
import { readWords } from '#words/catalogs.ts'
import { locales, withLocale } from '#words/locales.ts'
import { handleErrors } from './errors.ts'
import { answerInLanguages } from './language.ts'
import { serveScreens } from './screens.ts'

const words = readWords({ product: 'Unspent' })

const site: Site = {
  productName: 'Unspent',
  payoutMethods: [],
  themes: { light: {}, dark: {} },
  publicUrl: 'http://before.example',
  allowedOrigin: undefined,
  https: false,
  timeZone: 'UTC',
  payouts: { manual: true, alwaysTwoPersons: false, netReceivables: false, nacha: { cutoff: 1020 } },
  adminUsernames: new Set(),
}
let cardsTraded = '1,000'
const figures = async () => ({ cards_traded: cardsTraded, paid_out: '$5', average_rate: '90%', brands: '67' })
const html = { accept: 'text/html,*/*' }
let app: FastifyInstance
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-test-web-'))
  const names = new Set(
    locales.flatMap((locale) => [
      ...screenList.map((screen) => pageFileOf(screen, locale)),
      pageFiles.site(locale),
      pageFiles.notFound(locale),
      pageFiles.offline(locale),
      pageFiles.staff,
    ]),
  )
  for (const name of names) await writeFile(join(folder, name), `<p>${name} at ${ORIGIN_MARK}</p>`)
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/a-1234.js'), 'let a')
  await writeFile(join(folder, 'service-worker.js'), 'built()')
  await writeFile(join(folder, 'icon-192.png'), 'png')
  app = fastify()
  answerInLanguages(app, words)
  handleErrors(app)
  await serveScreens(app, folder, { site, figures, words })
  // Set after the start, as by a server that first has to listen.
  site.publicUrl = 'https://unspent.example'
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = html) => app.inject({ url, headers })

describe('the pages', () => {
  it.each(screenList)(
    '$path is served, with noindex unless search engines list its content',
    async (screen) => {
      const { path, indexed, canonical, name } = screen
      const answer = await get(name === 'contactChat' ? `${path}?session=abc` : path)
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.body).toBe(`<p>${pageFileOf(screen, 'en')} at https://unspent.example</p>`)
      expect(answer.headers['x-robots-tag']).toBe(indexed || canonical ? undefined : 'noindex')
    },
  )

  it('serve the same page whatever the query', async () => {
    expect((await get('/confirm-email?token=abc')).body).toBe((await get('/confirm-email')).body)
  })

  it.each([
    ['/contact/chat', '/contact'],
    ['/contact/chat?session=', '/contact'],
    ['/es/contact/chat', '/es/contact'],
  ])('redirect from %s, which names no conversation, to the contact form', async (path, form) => {
    const answer = await get(path)
    expect(answer.statusCode).toBe(302)
    expect(answer.headers.location).toBe(form)
  })

  it.each(['/no-such-page', '/help/me', '/get-quote.html', '/index.html'])(
    '%s is answered 404 with the 404 page',
    async (path) => {
      const answer = await get(path)
      expect(answer.statusCode).toBe(404)
      expect(answer.body).toContain('404.html')
    },
  )

  it('answer unknown staff addresses with the staff page', async () => {
    const answer = await get('/admin/nothing')
    expect(answer.statusCode).toBe(404)
    expect(answer.body).toContain('staff.html')
  })

  it('answer a missing file or call with an error instead of a page', async () => {
    for (const path of ['/assets/gone.js', '/api/gone', '/uploads/gone.jpg']) {
      const answer = await get(path)
      expect(answer.statusCode).toBe(404)
      expect(answer.json().code).toBe('not_found')
    }
    expect((await get('/no-such-page', { accept: 'application/json' })).json().code).toBe('not_found')
  })

  it('redirect from an address with a trailing slash to the one without', async () => {
    const answer = await get('/sell-card/?brand=amazon&value=5')
    expect(answer.statusCode).toBe(308)
    expect(answer.headers.location).toBe('/sell-card?brand=amazon&value=5')
  })

  it.each(['//', '//evil.example/', '/..%2fpackage.json', '/%2e%2e/package.json'])(
    'do not exist at %s',
    async (path) => {
      const answer = await get(path)
      expect(answer.statusCode).toBe(404)
      expect(answer.headers.location).toBeUndefined()
    },
  )
})

describe('a document', () => {
  it('has a policy that allows inline scripts of the build, but not those added later', async () => {
    const strict = fastify()
    strict.addHook('onRequest', (_request, reply, done) => {
      reply.header('content-security-policy', "script-src 'self'; style-src 'self'")
      done()
    })
    const built = await mkdtemp(join(tmpdir(), 'unspent-test-web-'))
    await writeFile(join(built, pageFileOf(screens.home, 'en')), `<body><script>let a</script>${ORIGIN_MARK}`)
    await serveScreens(strict, built, {
      site: { ...site, isDemo: true, publicUrl: 'http://a<script>let b</script>' },
      figures,
      words,
    })
    const { headers, body } = await strict.inject({ url: '/', headers: html })
    expect(body).toContain('let a')
    const allowed = createHash('sha256').update('let a').digest('base64')
    expect(headers['content-security-policy']).toBe(`script-src 'self' 'sha256-${allowed}'; style-src 'self'`)
    await strict.close()
    await rm(built, { recursive: true })
  })

  it('of a demo says so in every language, because the app can change that of the page', async () => {
    const demo = fastify()
    const built = await mkdtemp(join(tmpdir(), 'unspent-test-web-'))
    for (const locale of locales) {
      await writeFile(join(built, pageFileOf(screens.home, locale)), `<html lang="${locale}"><body>`)
    }
    await serveScreens(demo, built, { site: { ...site, isDemo: true }, figures, words })
    for (const url of ['/', '/es']) {
      const { body } = await demo.inject({ url, headers: html })
      expect(body).toContain('<span lang="en">This is a demo.')
      expect(body).toContain('<span lang="es">Esta es una demostración.')
    }
    await demo.close()
    await rm(built, { recursive: true })
  })

  it('is encoded as the browser asks', async () => {
    const plain = (await get('/faq')).body
    const br = await get('/faq', { ...html, 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain)
    const gzip = await get('/faq', { ...html, 'accept-encoding': 'gzip, br;q=0' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain)
    expect(gzip.headers.vary).toContain('accept-encoding')
  })

  it('is answered 304 if the client has it, unless it is the 404 page', async () => {
    const { etag } = (await get('/terms')).headers
    const again = await get('/terms', { ...html, 'if-none-match': String(etag) })
    expect(again.statusCode).toBe(304)
    expect(again.body).toBe('')
    const gone = await get('/gone')
    expect((await get('/gone', { ...html, 'if-none-match': String(gone.headers.etag) })).statusCode).toBe(404)
  })

  it('is for this site only, but other sites may show the logo of emails', async () => {
    const policyOf = async (path: string) => (await get(path)).headers['cross-origin-resource-policy']
    expect(await policyOf('/assets/a-1234.js')).not.toBe('cross-origin')
    expect(await policyOf('/icon-192.png')).toBe('cross-origin')
  })

  it('must be revalidated, unlike files with a hash', async () => {
    expect((await get('/assets/a-1234.js')).headers['cache-control']).toContain('immutable')
    expect((await get('/')).headers['cache-control']).toBe('no-cache')
  })
})

describe('the service worker', () => {
  it('is never cached, and its own policy lets it fetch only from this site', async () => {
    const { body, headers } = await get('/service-worker.js')
    expect(body).toBe('built()')
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['content-security-policy']).toBe("default-src 'none'; connect-src 'self'")
  })

  it('is replaced by one that removes itself when it is turned off', async () => {
    const off = fastify()
    await serveScreens(off, folder, { site: { ...site, serviceWorker: false }, figures, words })
    const { body, headers } = await off.inject('/service-worker.js')
    expect(body).toContain('registration.unregister()')
    expect(headers['cache-control']).toBe('no-cache')
    await off.close()
  })

  it('finds an offline page in each language', async () => {
    expect((await get('/offline')).body).toContain('offline.html')
    expect((await get('/es/offline')).body).toContain('es-offline.html')
  })
})

describe('for search engines', () => {
  it('the sitemap lists the public screens under the public address', async () => {
    const { body } = await get('/sitemap.xml')
    const listed = [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)
    const indexed = screenList.filter((screen) => screen.indexed)
    const addresses = indexed.flatMap(({ path }) => [path, withLocale('es', path)])
    expect(listed).toEqual(addresses.map((path) => `https://unspent.example${path}`))
    expect(body).not.toContain('/contact/chat')
    expect(body).not.toContain('/admin')
  })

  it('robots.txt names the sitemap', async () => {
    expect((await get('/robots.txt')).body).toContain('Sitemap: https://unspent.example/sitemap.xml')
  })
})

it('security.txt says where to report a hole', async () => {
  const { body } = await get('/.well-known/security.txt')
  expect(body).toContain('Contact: https://unspent.example/contact\n')
  const [, expires = ''] = /^Expires: (.*)$/m.exec(body) ?? []
  expect(new Date(expires).getTime()).toBeGreaterThan(Date.now())
})

it("fills in the figures of a brand's claims, with an ETag for each", async () => {
  const built = await mkdtemp(join(tmpdir(), 'unspent-test-web-'))
  const page = `<meta name="figures" content="${FIGURES_MARK}" /><dd>${figureMark('cards_traded')}</dd>`
  await writeFile(join(built, pageFileOf(screens.home, 'en')), page)
  const shop = fastify()
  await serveScreens(shop, built, { site, figures, words })
  const first = await shop.inject({ url: '/', headers: html })
  expect(first.body).toContain('<dd>1,000</dd>')
  expect(first.body).toContain('content="{&quot;cards_traded&quot;:&quot;1,000&quot;,')
  cardsTraded = '1,001'
  const second = await shop.inject({
    url: '/',
    headers: { ...html, 'if-none-match': String(first.headers.etag) },
  })
  expect(second.statusCode).toBe(200)
  expect(second.body).toContain('<dd>1,001</dd>')
  await shop.close()
  await rm(built, { recursive: true })
})

it('answers 503 while the pages are not built', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'unspent-test-web-'))
  const bare = fastify()
  answerInLanguages(bare, words)
  await serveScreens(bare, empty, { site, figures, words })
  const answer = await bare.inject({ url: '/', headers: html })
  expect(answer.statusCode).toBe(503)
  await bare.close()
  await rm(empty, { recursive: true })
})
