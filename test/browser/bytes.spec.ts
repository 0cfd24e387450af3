import { readFile } from 'node:fs/promises'
import { brotliCompressSync } from 'node:zlib'
import type { Locator, Page } from '@playwright/test'
import { screenList } from '#contract/screens.ts'
import { contact } from './chat-desk.ts'
import { appSettled, expect, signInStaff, test } from './fixtures.ts'
import { expectMarkupRefused, expectStrictPolicy } from './policy.ts'
import { signedUp, submitCard } from './sellers.ts'

/** Bytes sent, brotli-compressed. React DOM is 53 kB of them. */
const VISITOR = 105_000
const SELLER = 145_000
const FIRST_PAINT = 18_500

/** Texts found only on staff screens. */
const STAFFS = [
  'Access Admin Panel',
  'Clear All',
  'Search conversations...',
  'No verification images uploaded',
]

const customers = screenList.filter(({ audience }) => audience !== 'staff')

/**
 * Opens a page with an empty cache.
 * @param last shown by the script that arrives last
 * @returns its answer, and the scripts and texts that it fetches
 */
async function load(page: Page, path: string, last?: Locator) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  // Nothing of the page before is counted.
  await page.goto('about:blank')
  const scripts: { name: string; bytes: number }[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' && !response.url().includes('/words-')) return
    scripts.push({ name: response.url(), bytes: Number(response.headers()['content-length']) })
  })
  const answer = await page.goto(path)
  if (last) await expect(last).toBeVisible()
  await appSettled(page)
  page.removeAllListeners('response')
  return { scripts, answer }
}

/** The query with which a screen shows the most. */
async function wholeQuery(page: Page, path: string): Promise<string> {
  if (path === '/contact/chat') return `?session=${await contact(page)}`
  return path === '/reset-password' ? '?token=x' : ''
}

function print(bytes: number, what: string): void {
  process.stdout.write(`${String(bytes).padStart(10)} bytes ${what}\n`)
}

const sum = (scripts: readonly { bytes: number }[]) => scripts.reduce((total, { bytes }) => total + bytes, 0)

for (const who of new Set(customers.map(({ audience }) => audience))) {
  const title = `screens for ${who} stay within their script budget, contain no staff texts and have a strict policy`
  test(title, async ({ page, complaints }) => {
    if (who === 'seller') {
      await signedUp(page)
      await submitCard(page)
    }
    for (const { path } of customers.filter(({ audience }) => audience === who)) {
      const query = await wholeQuery(page, path)
      const { scripts, answer } = await load(page, path + query)
      const bytes = sum(scripts)
      print(bytes, `of script: ${path}`)
      expect.soft(bytes, path).toBeGreaterThan(50_000)
      expect.soft(bytes, path).toBeLessThanOrEqual(who === 'seller' ? SELLER : VISITOR)
      expect.soft(await staffTextsIn(scripts), path).toEqual([])
      expectStrictPolicy(answer)
      await expect(page.getByRole('heading').first(), path).toBeVisible()
    }
    await expectMarkupRefused(page, complaints)
  })
}

test('the first paint of the landing page needs few bytes', async ({ request }) => {
  const html = await (await request.get('/')).text()
  // Including styles: nothing else is fetched before the first paint.
  expect(html).not.toMatch(/<link[^>]+stylesheet|<script(?![^>]+type="module")[^>]+src=/)
  const bytes = brotliCompressSync(html).length
  print(bytes, 'before the first paint: /')
  expect(bytes).toBeLessThanOrEqual(FIRST_PAINT)
})

test('the landing page is painted before any script arrives', async ({ page }) => {
  const painted = Promise.withResolvers<void>()
  const held: string[] = []
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    held.push(route.request().url())
    await painted.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  await expect.poll(() => held.length).toBeGreaterThan(2)
  painted.resolve()
})

test("sellers' screens request what they show before any script arrives", async ({ page }) => {
  await signedUp(page)
  for (const path of ['/account', '/processing', '/transactions', '/es/account']) {
    const asked = new Set<string>()
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (/^\/api\/(auth|user|my-transactions)/.test(pathname)) asked.add(pathname + search)
    })
    const scripts = Promise.withResolvers<void>()
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await scripts.promise
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'commit' })
    const early = () =>
      page.evaluate(() => {
        const { unspentEarly } = globalThis as unknown as { unspentEarly?: Map<string, unknown> }
        return unspentEarly && [...unspentEarly.keys()]
      })
    await expect(async () => {
      expect(asked.size, path).toBeGreaterThan(1)
      expect(await early(), path).toEqual([...asked])
    }).toPass()
    const before = [...asked]
    scripts.resolve()
    // The app uses these answers and reads nothing else.
    await expect.poll(early, path).toEqual([])
    await appSettled(page)
    expect([...asked], path).toEqual(before)
    await page.unrouteAll({ behavior: 'wait' })
    page.removeAllListeners('request')
  }
})

test('the scripts of the landing page are compressed and cached', async ({ page }) => {
  const answers = new Map<string, Record<string, string>>()
  page.on('response', (response) => {
    if (/\/assets\/.*\.js$/.test(response.url())) answers.set(response.url(), response.headers())
  })
  await page.goto('/')
  await appSettled(page)
  expect(answers.size).toBeGreaterThan(2)
  for (const [url, headers] of answers) {
    expect(headers['content-encoding'], url).toMatch(/^(br|gzip)$/)
    expect(headers['cache-control'], url).toContain('immutable')
  }
})

test('staff get the texts that no customer gets', async ({ page, staffPage }) => {
  await signedUp(page)
  await submitCard(page)
  const before = await load(staffPage, '/admin/login')
  await signInStaff(staffPage)
  const desk = await load(staffPage, '/admin', staffPage.getByRole('button', { name: /^Reject/ }))
  const chat = await load(staffPage, '/admin/chat', staffPage.getByPlaceholder('Search conversations...'))
  expect(await staffTextsIn([before, desk, chat].flatMap(({ scripts }) => scripts))).toEqual(STAFFS)
})

/** The staff texts found in these scripts. */
async function staffTextsIn(scripts: readonly { name: string }[]): Promise<string[]> {
  const names = new Set(scripts.map(({ name }) => new URL(name).pathname))
  const files = [...names].map((name) => readFile(new URL(`../../dist/web${name}`, import.meta.url), 'utf8'))
  const code = (await Promise.all(files)).join('\n')
  return STAFFS.filter((text) => code.includes(text))
}
