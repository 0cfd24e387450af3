import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
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

it('has its own type, corners, drawings and hero', async () => {
  const home = await page('/')
  expect(home).not.toContain('Bricolage')
  const [, typeface = ''] = /<link rel="preload" href="([^"]*)" as="font"/.exec(home) ?? []
  const sent = await server.visitor().get(typeface)
  expect(sent.status).toBe(200)
  expect(home).toContain('h1,h2,h3{font-family:Typeface,Georgia,serif}')
  expect(home).toContain('--font-sans:"Avenir Next",')
  expect(home).toMatch(/\.rounded-lg\{border-radius:3px\}/)
  expect(home).toMatch(/\.rounded-chip\{border-radius:3px\}/)
  expect(home).toMatch(/<section class="[^"]*bg-deep[^"]*"><div[^>]*><h1/)
  const [, drawings = ''] = /<use href="([^"#]*)#hero"/.exec(home) ?? []
  for (const name of ['chosen', 'quoted', 'photographed', 'paid'])
    expect(home).toContain(`${drawings}#${name}"`)
  const { text } = await server.visitor().get(drawings)
  for (const name of Object.keys(brand.drawings)) expect(text).toContain(`<g id="${name}">`)
  expect(await page('/no-such-page')).toContain(`${drawings}#lost"`)
})

it('shows amounts in its own color of money', async () => {
  const home = await page('/')
  expect(home).toContain('--gold:oklch(87% .19 126)')
  expect(home).toContain('--gold:oklch(86% .18 126)')
  expect(home).toContain('.bg-gold{background-color:var(--gold)}')
  const amounts = home.match(/\$\d+\.\d\d</g)
  const onGold = home.match(
    /<(output|span) class="[^"]*bg-gold[^"]*">(<span[^>]*>([^<]|<!-- -->)*<\/span>)*<span[^>]*>\$\d+\.\d\d</g,
  )
  expect(amounts).toHaveLength(4)
  expect(onGold).toHaveLength(4)
})

it('shares with every brand that gold is only for money', async () => {
  const sources = await readdir(join(root, 'web'), { recursive: true })
  const users: string[] = []
  for (const file of sources.filter((name) => name.endsWith('.tsx'))) {
    if (/-gold\b/.test(await readFile(join(root, 'web', file), 'utf8'))) users.push(file)
  }
  expect(users.sort()).toEqual([
    'cards/AmountCard.tsx',
    'cards/CardArt.tsx',
    'chat/TalkArt.tsx',
    'kit/Money.tsx',
    'seller/card/Tracker.tsx',
    'visitor/landing/QuickCalculator.tsx',
    'visitor/landing/StepArt.tsx',
  ])
})

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
  expect(await page('/es')).toContain('Cambie la tarjeta que no quiere por el efectivo que sí.')
  expect(await page('/terms')).toContain('Tarjeta Swap is run by Tarjeta Swap LLC, 2101 SW 8th Street')
  expect(await page('/faq')).toContain('Zelle, Cash App, and Bank Transfer')
  expect(await page('/contact')).toContain('mailto:hola@tarjetaswap.example')
  expect(await page('/')).toContain('Secondhand dealer license 00-0000, an example')
  expect(await page('/es')).toContain('Licencia de compraventa de artículos usados 00-0000, un ejemplo')
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
      /class="name" style="[^"]*color:#[0-9a-f]{6}[^>]*><span style="[^"]*\/icon-192.png[^>]*>&nbsp;<\/span>Tarjeta Swap</,
    )
  }
})
