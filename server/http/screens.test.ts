import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ORIGIN_MARK, pageFileOf, pageFiles, screenList, screens } from '#contract/screens.ts'
import type { Site } from '#server/platform/config/site.ts'
import { handleErrors } from './errors.ts'
import { serveScreens } from './screens.ts'

const site: Site = {
  productName: 'Unspent',
  publicUrl: 'http://before.example',
  allowedOrigin: undefined,
  https: false,
  adminUsernames: new Set(),
}
const html = { accept: 'text/html,*/*' }
let app: FastifyInstance
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-test-web-'))
  const names = new Set([...screenList.map(pageFileOf), ...Object.values(pageFiles)])
  for (const name of names) await writeFile(join(folder, name), `<p>${name} at ${ORIGIN_MARK}</p>`)
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/a-1234.js'), 'let a')
  app = fastify()
  handleErrors(app)
  await serveScreens(app, folder, site)
  // Set after the start, as by a server that first has to listen.
  site.publicUrl = 'https://unspent.example'
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = html) => app.inject({ url, headers })

describe('the pages', () => {
  it.each(screenList)('$path is served, with noindex unless it is listed', async (screen) => {
    const { path, indexed } = screen
    const answer = await get(path)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toBe(`<p>${pageFileOf(screen)} at https://unspent.example</p>`)
    expect(answer.headers['x-robots-tag']).toBe(indexed ? undefined : 'noindex')
  })

  it('serve the same page whatever the query', async () => {
    expect((await get('/contact/chat?session=abc')).body).toContain('site.html')
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
    await writeFile(join(built, pageFileOf(screens.home)), `<body><script>let a</script>${ORIGIN_MARK}`)
    await serveScreens(strict, built, { ...site, isDemo: true, publicUrl: 'http://a<script>let b</script>' })
    const { headers, body } = await strict.inject({ url: '/', headers: html })
    expect(body).toContain('let a')
    const allowed = createHash('sha256').update('let a').digest('base64')
    expect(headers['content-security-policy']).toBe(`script-src 'self' 'sha256-${allowed}'; style-src 'self'`)
    await strict.close()
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

  it('must be revalidated, unlike files with a hash', async () => {
    expect((await get('/assets/a-1234.js')).headers['cache-control']).toContain('immutable')
    expect((await get('/')).headers['cache-control']).toBe('no-cache')
  })
})

describe('for search engines', () => {
  it('the sitemap lists the public screens under the public address', async () => {
    const { body } = await get('/sitemap.xml')
    const listed = [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)
    const indexed = screenList.filter((screen) => screen.indexed)
    expect(listed).toEqual(indexed.map(({ path }) => `https://unspent.example${path}`))
    expect(body).not.toContain('/contact/chat')
    expect(body).not.toContain('/admin')
  })

  it('robots.txt names the sitemap', async () => {
    expect((await get('/robots.txt')).body).toContain('Sitemap: https://unspent.example/sitemap.xml')
  })
})

it('answers 503 while the pages are not built', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'unspent-test-web-'))
  const bare = fastify()
  await serveScreens(bare, empty, site)
  const answer = await bare.inject({ url: '/', headers: html })
  expect(answer.statusCode).toBe(503)
  await bare.close()
  await rm(empty, { recursive: true })
})
