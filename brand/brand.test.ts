import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, expect, it } from 'vitest'
import { BrandError, type BrandSettings, readBrand } from './brand.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A brand's folder with these files; objects are written as JSON. */
function brandFolder(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'unspent-test-brand-'))
  folders.push(folder)
  mkdirSync(join(folder, 'words'))
  mkdirSync(join(folder, 'drawings'))
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

/** The problems of a folder, without its path. */
function problemsOf(folder: string): string[] {
  try {
    readBrand(folder)
  } catch (error) {
    if (error instanceof BrandError) return error.message.replaceAll(`${folder}/`, '').split('\n')
    throw error
  }
  return []
}

it('reads the default brand, with the claims of the spec', () => {
  const { name, claims, payoutMethods } = readBrand()
  expect(name).toBe('Unspent')
  expect(claims.map(({ figure, text }) => [figure, text.en])).toEqual([
    ['50+', 'Supported brands'],
    ['~95%', 'Average rate'],
    ['10,000+', 'Cards traded'],
    ['$2M+', 'Paid out'],
    ['4.9/5', 'Rating'],
  ])
  expect(payoutMethods).toHaveLength(9)
})

it('takes missing parts from the default brand', () => {
  const empty = brandFolder({})
  expect(readBrand(empty)).toEqual({ ...readBrand(), wordsFolder: join(empty, 'words') })
  const brand = readBrand(
    brandFolder({ 'brand.json': { name: 'Tarjeta Swap', support: { phone: '555 0100' } } }),
  )
  const { hours } = readBrand().support
  expect(brand).toMatchObject({ name: 'Tarjeta Swap', support: { phone: '555 0100', hours } })
  expect(brand.claims).toEqual(readBrand().claims)
})

it('takes texts in one language or in both, and figures of the database', () => {
  const folder = brandFolder({
    'brand.json': {
      support: { hours: '24/7' },
      claims: [
        { figure: 'live:paid_out', text: { en: 'Paid out', es: 'Pagados' } },
        { figure: 'live:brands', text: 'Brands', minimum: 50 },
      ],
    },
  })
  const { support, claims } = readBrand(folder)
  expect(support.hours).toEqual({ en: '24/7', es: '24/7' })
  expect(claims).toEqual([
    { figure: { live: 'paid_out' }, text: { en: 'Paid out', es: 'Pagados' } },
    { figure: { live: 'brands', minimum: 50 }, text: { en: 'Brands', es: 'Brands' } },
  ])
})

const hours = 'Saturday mornings, Madrid'
const openingHours = { zone: 'Europe/Madrid', week: { sat: '09:30-24:00' } }

it('reads opening hours', () => {
  const { openingHours: read } = readBrand(
    brandFolder({ 'brand.json': { support: { hours, openingHours } } }),
  )
  expect(read).toEqual({ zone: 'Europe/Madrid', week: { sat: [570, 1440] } })
})

it('has no opening hours that the text of the hours may contradict', () => {
  expect(readBrand().openingHours?.zone).toBe('America/New_York')
  expect(readBrand(undefined, { hours }).openingHours).toBeUndefined()
  expect(readBrand(brandFolder({ 'brand.json': { support: { hours } } })).openingHours).toBeUndefined()
})

it.each<[unknown, string]>([
  [{ openingHours }, 'openingHours must have hours beside it, which say the same as a text'],
  [
    { hours, openingHours: { ...openingHours, zone: 'EST' } },
    'openingHours.zone must be a time zone like America/New_York',
  ],
  [
    { hours, openingHours: { ...openingHours, zone: 'Europe/Atlantis' } },
    'openingHours.zone must be a time zone like America/New_York',
  ],
  [{ hours, openingHours: { ...openingHours, week: {} } }, 'openingHours.week must have at least one day'],
  ...['9-18', '18:00-09:00', '09:00-09:00', '09:00-24:01', '09:00-18:60', 9].map((mon): [unknown, string] => [
    { hours, openingHours: { ...openingHours, week: { mon } } },
    'openingHours.week.mon must be an opening and a later closing time, like 09:00-18:00',
  ]),
])('refuses the support %j', (support, problem) => {
  expect(problemsOf(brandFolder({ 'brand.json': { support } }))).toEqual([`brand.json: support.${problem}`])
})

it('lets settings override brand.json', () => {
  const folder = brandFolder({
    'brand.json': { name: 'Tarjeta Swap', support: { email: 'hola@swap.example' } },
  })
  const settings: BrandSettings = { name: 'Kartenhaus', email: 'help@shop.example', hours: 'Daily' }
  const { name, support } = readBrand(folder, settings)
  expect(name).toBe('Kartenhaus')
  expect(support).toEqual({ email: 'help@shop.example', hours: { en: 'Daily', es: 'Daily' } })
})

it('reports every problem in one line with its file and key', () => {
  const folder = brandFolder({
    'brand.json': {
      name: '',
      colour: 'red',
      support: { email: 'us', fax: '1', hours: { en: 'Daily' } },
      company: 'Swap LLC',
      claims: [
        { figure: 'live:sales', text: 4 },
        { figure: 'live:brands', text: 'Brands', minimum: 1 },
        { figure: '10', text: 'Shops', minimum: 2 },
      ],
      payoutMethods: ['paypal', 'cash'],
    },
  })
  expect(problemsOf(folder).sort()).toEqual([
    'brand.json: claims.0.figure must be a text, or one of live:cards_traded, live:paid_out, live:average_rate, live:brands',
    'brand.json: claims.0.text must be a text of at most 40 characters, or {"en": "…", "es": "…"}',
    'brand.json: claims.1.minimum must be a whole number from 2 on',
    'brand.json: claims.2.minimum must be left out: only live figures have one',
    'brand.json: colour must be left out: it is not one of name, support, company, type, radius, hero, claims, payoutMethods',
    'brand.json: company must be an object with name, address, license, person',
    'brand.json: name must be 1 to 60 characters in one line',
    'brand.json: payoutMethods.1 must be one of paypal, venmo, zelle, chime, google_pay, apple_pay, cash_app, bank_transfer, other',
    'brand.json: support.email must be one email address',
    'brand.json: support.fax must be left out: it is not one of email, phone, hours, openingHours',
    'brand.json: support.hours must be a text of at most 100 characters, or {"en": "…", "es": "…"}',
  ])
  expect(problemsOf(brandFolder({ 'brand.json': '{"name": }' }))).toEqual([
    expect.stringMatching(/^brand\.json: .*JSON/),
  ])
  expect(problemsOf('/nowhere')).toEqual(['BRAND_DIR is "/nowhere"; it must be the path of a folder'])
})

it('reads colors, and takes those left out from the default of the same theme', () => {
  const { themes } = readBrand(brandFolder({ 'tokens.css': ':root { --accent: #7a1f5c; /* plum */ }' }))
  expect(themes.light).toEqual({ ...readBrand().themes.light, accent: '#7a1f5c' })
  expect(themes.dark).toEqual(readBrand().themes.dark)
})

it('reports colors that it cannot read or that have too little contrast', () => {
  const folder = brandFolder({
    'tokens.css': `
      :root { --accent: #f9a; --acent: #123; --ink: black; color: red }
      .dark { --soft: #555 }
      body { --page: #fff }`,
  })
  const problems = problemsOf(folder)
  expect(problems).toEqual(
    expect.arrayContaining([
      'tokens.css: :root --ink is "black"; it must be a color like #1b7f4d, rgb(27 127 77) or oklch(0.5 0.1 150)',
      'tokens.css: :root color: red must be left out: it is not a token',
      'tokens.css: body must be left out: only :root and .dark are read',
      'tokens.css: :root --acent must be left out: there is no such token',
      'tokens.css: --accent on --surface in the light theme has a contrast of 2.02:1; it must be at least 4.5:1',
      'tokens.css: --on-accent on --accent in the light theme has a contrast of 1.96:1; it must be at least 4.5:1',
    ]),
  )
  expect(
    problems.filter((problem) => problem.includes('--soft') && problem.includes('dark theme')),
  ).toHaveLength(4)
})

it('takes a logo as an SVG drawing that needs nothing else, and makes the favicon of it', () => {
  const logo = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="24" viewBox="0 0 24 24" fill="none">
    <title>Swap</title> <path d="M0 0h24" stroke="currentColor"/> </svg>`
  const brand = readBrand(brandFolder({ 'logo.svg': logo }))
  expect(brand.logo).toEqual({
    viewBox: '0 0 24 24',
    content: '<g fill="none"><path d="M0 0h24" stroke="currentColor"/></g>',
  })
  expect(brand.favicon).toContain(brand.logo.content)
  expect(brand.sharePicture).toBeUndefined()
  expect(problemsOf(brandFolder({ 'logo.svg': '<svg width="2"></svg>' }))).toEqual([
    'logo.svg: it must be an SVG drawing with a viewBox',
  ])
})

it.each([
  ['<script>alert(1)</script>', '<script'],
  ['<image href="https://elsewhere.example/x.png"/>', '<image'],
  ['<use href="https://elsewhere.example/x.svg#a"/>', 'href="'],
  ['<path onclick="alert(1)"/>', 'onclick='],
  ['<path style="fill:red"/>', 'style='],
  [`<path d="${'M0 0'.repeat(1000)}"/>`, 'at most 4000 bytes'],
])('refuses a logo with %s', (content, named) => {
  const folder = brandFolder({ 'logo.svg': `<svg viewBox="0 0 9 9">${content}</svg>` })
  expect(problemsOf(folder)).toEqual([expect.stringContaining(named)])
})

it('takes type from the device or from a file, corners and a hero', () => {
  const stacks = { text: 'Avenir Next, sans-serif' }
  const ofDevice = readBrand(brandFolder({ 'brand.json': { type: stacks, radius: 0, hero: 'band' } }))
  const text = '"Avenir Next",sans-serif'
  expect(ofDevice).toMatchObject({ type: { text, headings: text }, radius: 0, hero: 'band' })
  expect(ofDevice.type?.file).toBeUndefined()
  const folder = brandFolder({ 'typeface.woff2': 'wOF2 and more' })
  const whole = '"Typeface",sans-serif'
  expect(readBrand(folder).type).toEqual({
    text: whole,
    headings: whole,
    file: join(folder, 'typeface.woff2'),
  })
  expect(readBrand()).toMatchObject({ type: undefined, radius: undefined, hero: 'beside', drawings: {} })
})

it.each<[Record<string, unknown>, string]>([
  [
    { 'brand.json': { type: { text: 'url(//elsewhere.example)' } } },
    'brand.json: type.text must be font families',
  ],
  [{ 'brand.json': { type: { text: 'Arial; color: red' } } }, 'brand.json: type.text must be font families'],
  [
    { 'brand.json': { type: { headings: 'typeface, serif' } } },
    'brand.json: type needs the file typeface.woff2',
  ],
  [{ 'typeface.woff2': 'wOFF' }, 'typeface.woff2: it must be a WOFF2 font'],
  [{ 'typeface.woff2': `wOF2${'x'.repeat(64_000)}` }, 'typeface.woff2: it must have at most 64000 bytes'],
  [
    { 'typeface.woff2': 'wOF2', 'brand.json': { type: { text: 'Arial' } } },
    'typeface.woff2: type in brand.json does not name typeface',
  ],
  [{ 'brand.json': { radius: 25 } }, 'brand.json: radius must be the pixels of the largest corners'],
  [{ 'brand.json': { hero: 'full' } }, 'brand.json: hero must be one of beside, band'],
  [{ 'drawings/cash.svg': '<svg/>' }, 'drawings/cash.svg: must be left out: drawings are empty, notFound,'],
  [
    { 'drawings/paid.svg': '<svg viewBox="0 0 9 9"><path fill="#fc0"/></svg>' },
    'drawings/paid.svg: fill="#fc0" must be a token of tokens.css like var(--gold)',
  ],
  [
    { 'drawings/paid.svg': '<svg viewBox="0 0 9 9"><path stroke="var(--cash)"/></svg>' },
    'drawings/paid.svg: stroke=',
  ],
  [
    { 'drawings/paid.svg': '<svg viewBox="0 0 9 9"><script>alert(1)</script></svg>' },
    'drawings/paid.svg: it must not contain <script',
  ],
  [
    { 'tokens.css': ':root { --gold: #1f5c7a; --on-gold: #fff; --accent: #1f5c7a }' },
    'tokens.css: --gold in the light theme is too much like --accent; it is the color of money alone',
  ],
])('refuses the look %j', (files, problem) => {
  expect(problemsOf(brandFolder(files))).toEqual([expect.stringContaining(problem)])
})

it('takes only a whole PNG picture of 1200 × 630 pixels for shared links', async () => {
  const png = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
  const right = await png(1200, 630)
  const good = brandFolder({})
  writeFileSync(join(good, 'share.png'), right)
  expect(readBrand(good).sharePicture).toBe(join(good, 'share.png'))

  const rule = 'share.png: it must be a PNG picture of 1200 × 630 pixels'
  const wrong: [content: Buffer | string, problem: string][] = [
    ['a text', rule],
    ['', rule],
    [right.subarray(0, 24), rule],
    [right.subarray(0, -12), rule],
    [await sharp(right).jpeg().toBuffer(), rule],
    [await png(630, 1200), `${rule}, and it has 630 × 1200`],
    [await png(1200, 631), `${rule}, and it has 1200 × 631`],
  ]
  for (const [content, problem] of wrong) {
    const folder = brandFolder({})
    writeFileSync(join(folder, 'share.png'), content)
    expect(problemsOf(folder)).toEqual([problem])
  }
  const folder = brandFolder({})
  mkdirSync(join(folder, 'share.png'))
  expect(problemsOf(folder)).toEqual([rule])
})

it('reports texts that do not exist or are not valid', () => {
  const folder = brandFolder({
    'words/en.json': {
      'site.blurb': 'We buy cards.',
      'site.blurp': 'Hello',
      'site.skipToContent': '{open',
      'site.loading': 5,
    },
    'words/es.json': '{',
    'words/fr.json': {},
  })
  expect(problemsOf(folder)).toEqual([
    'words/en.json: site.blurp must be left out: there is no such text',
    expect.stringMatching(/^words\/en\.json: site\.skipToContent is not a valid text: /),
    'words/en.json: site.loading must be a text',
    expect.stringMatching(/^words\/es\.json: it is not JSON: /),
    'words/fr.json must be left out: texts are in en.json and es.json',
  ])
})

it('finds nothing wrong with the second example brand', () => {
  expect(problemsOf(join(import.meta.dirname, '../demo/second-brand'))).toEqual([])
})
