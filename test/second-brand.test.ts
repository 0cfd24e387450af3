import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBrand } from '#brand/brand.ts'
import { createTestApp, type TestApp } from './app.ts'
import { sendMails } from './mails.ts'
import { submit } from './submissions.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'demo/second-brand')
const brand = readBrand(folder)
const html = { accept: 'text/html' }

let web: string
let server: TestApp
beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), 'unspent-test-web-'))
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const env = { ...process.env, NODE_ENV: 'production', BRAND_DIR: folder, PRODUCT_NAME: '' }
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', web, '--emptyOutDir'], {
    cwd: root,
    env,
  })
  server = await createTestApp({ brand, web })
}, 180_000)
afterAll(() => rm(web, { recursive: true, force: true }))

const page = async (path: string) => (await server.visitor().get(path, html)).text

it.each(['/', '/es', '/get-quote', '/login', '/es/terms', '/contact', '/processing'])(
  '%s shows its name, logo, colors and company',
  async (path) => {
    const text = await page(path)
    expect(text).toMatch(/<title>[^<]*Tarjeta Swap<\/title>/)
    expect(text).not.toContain('Unspent')
    expect(text).toContain(`viewBox="${brand.logo.viewBox}"`)
    expect(text).toContain('--accent:oklch(45% .21 305)')
    expect(text).toContain('2101 SW 8th Street, Miami, FL 33135')
    // It has no picture for shared links, so it must not show ours.
    expect(text).not.toContain('share.png')
  },
)

it('serves its logo as the favicon', async () => {
  expect((await server.visitor().get('/favicon.svg')).text).toBe(brand.favicon)
  expect((await server.visitor().get('/share.png', html)).status).toBe(404)
})

it('claims nothing before its database holds enough, in both languages', async () => {
  const english = await page('/')
  // A style hides claims without a figure.
  expect(english).toMatch(/has-\[dd:empty\]:hidden[^>]*><dt[^>]*>Cards bought so far<\/dt><dd[^>]*><\/dd>/)
  expect(english).toMatch(/Of the value, on average<\/dt><dd[^>]*>86%<\/dd>/)
  expect(english).toContain('<meta name="figures" content="{&quot;cards_traded&quot;:&quot;&quot;')
  expect(english).not.toMatch(/\{\{|10,000\+/)
  expect(await page('/es')).toMatch(/Tarjetas compradas hasta hoy<\/dt><dd[^>]*><\/dd>/)
})

it('says its own words, contacts and payout methods', async () => {
  expect(await page('/')).toContain('Swap the card you don’t want for cash you do.')
  expect(await page('/es')).toContain('Cambie la tarjeta que no quiere por efectivo que sí.')
  expect(await page('/terms')).toContain('Tarjeta Swap is run by Tarjeta Swap LLC, 2101 SW 8th Street')
  expect(await page('/faq')).toContain('Zelle, Cash App, and Bank Transfer')
  expect(await page('/contact')).toContain('mailto:hola@tarjetaswap.example')
  expect(await page('/')).toContain('Secondhand dealer license 00-0000, an example')
  expect(await page('/es')).toMatch(/Dirige la tienda<\/dt><dd[^>]*>Lucía Ferrer/)
  const payouts = /aria-labelledby="payouts".*?<\/section>/s.exec(await page('/'))?.[0] ?? ''
  expect([...payouts.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, label]) => label)).toEqual([
    'Zelle',
    'Cash App',
    'Bank Transfer',
  ])
  const seller = await server.seller()
  expect((await submit(seller, { paymentType: 'paypal' })).status).toBe(400)
  expect((await submit(seller, { paymentType: 'zelle' })).status).toBe(201)
})

it('sends emails in its name', async () => {
  await server.seller('newcomer')
  const mails = await sendMails(server)
  expect(mails.length).toBeGreaterThan(1)
  for (const { subject, text, html: body } of mails) {
    expect(`${subject}${text}${body}`).not.toContain('Unspent')
    expect(text).toContain('Tarjeta Swap LLC, 2101 SW 8th Street, Miami, FL 33135')
    expect(body).toMatch(
      /class="name" style="[^"]*color:#[0-9a-f]{6}[^>]*><img src="[^"]*\/icon-192.png"[^>]*>Tarjeta Swap</,
    )
  }
})
