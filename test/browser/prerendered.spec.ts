import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { screenList } from '#contract/screens.ts'
import { expect, test } from './fixtures.ts'
import { chooseTheme } from './looks.ts'
import { signedUp } from './sellers.ts'

const prerendered = screenList.filter((screen) => screen.prerendered)
const main = (page: Page) => page.getByRole('main')

test.describe('prerendered pages', () => {
  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    for (const { path, canonical = path } of prerendered) {
      test(`${path} can be read`, async ({ page, site }) => {
        const answer = await page.goto(path)
        expect(answer?.status()).toBe(200)
        await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible()
        await expect(main(page).getByText('This page does not exist')).toHaveCount(0)
        await expect(page.getByRole('contentinfo')).toBeVisible()
        // Playwright disables scripts too late for Chromium's parser to render it.
        expect(await answer?.text()).toMatch(/<noscript>.*Quotes and forms need JavaScript/s)
        await expect(page).toHaveTitle(/^.+ · Unspent$/)
        await expect(page.locator('title')).toHaveCount(1)
        await expectCard(page, `${site}${canonical}`)
      })
    }

    test('/get-quote lists the catalog', async ({ page }) => {
      await page.goto('/get-quote')
      await expect(page.getByRole('region', { name: 'All Brands' }).getByRole('listitem')).toHaveCount(67)
    })

    test('a form does not put its values into the address', async ({ page }) => {
      await page.goto('/login')
      await page.getByLabel('Password').fill('my dear secret')
      await page.getByLabel('Password').press('Enter')
      await page.waitForLoadState()
      expect(page.url()).not.toContain('secret')
    })
  })

  test('have only the inline scripts and styles that their policy allows', async ({ request }) => {
    for (const { path } of prerendered) {
      const answer = await request.get(path)
      const html = await answer.text()
      const inline = [...html.matchAll(/<(?:script|style)(?![^>]*\ssrc=)[^>]*>(.*?)<\/(?:script|style)>/gs)]
      const hashes = inline.map(([, text = '']) => createHash('sha256').update(text).digest('base64'))
      const policy = answer.headers()['content-security-policy'] ?? ''
      expect(policy.match(/(?<='sha256-)[^']+/g)?.sort(), path).toEqual(hashes.sort())
      expect(html.match(/\sstyle="|\son[a-z]+="/g) ?? [], path).toEqual([])
      expect(html, path).not.toContain('{{origin}}')
    }
  })

  test('have unique titles and descriptions', async ({ request }) => {
    const indexed = prerendered.filter((screen) => screen.indexed)
    const matchesOf = async (pattern: RegExp) =>
      new Set(
        await Promise.all(
          indexed.map(async ({ path }) => pattern.exec(await (await request.get(path)).text())?.[1] ?? path),
        ),
      )
    expect((await matchesOf(/<title>(.*?)<\/title>/)).size).toBe(indexed.length)
    const descriptions = await matchesOf(/<meta name="description" content="(.*?)"/)
    expect(descriptions.size).toBe(indexed.length)
    // The length that search results show.
    expect([...descriptions].filter((text) => text.length < 50 || text.length > 160)).toEqual([])
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`are hydrated without changes or layout shifts, ${theme}`, async ({ page }) => {
      await chooseTheme(page, theme)
      // One theme at a phone's width, where layout shifts appear first.
      if (theme === 'dark') await page.setViewportSize({ width: 360, height: 740 })
      // With the typeface in the cache, only the app can move something.
      await page.goto('/')
      await page.evaluate(() => document.fonts.ready)
      for (const { path } of prerendered) {
        await page.goto(path)
        await main(page)
          .getByRole('heading', { level: 1 })
          .evaluate((heading) => heading.setAttribute('data-seen', ''))
        // Only the app knows the session, so this means that it has started.
        const bar = page.getByRole('navigation', { name: 'Main' })
        await expect(
          bar
            .getByText('Sign In')
            .or(bar.getByRole('button', { name: 'Menu' }))
            .filter({ visible: true }),
        ).toBeVisible()
        await expect(main(page).locator('[data-seen]'), path).toHaveCount(1)
        await expect(page.locator('html')).toHaveClass(theme === 'dark' ? 'dark' : '')
        expect(await layoutShift(page), path).toBe(0)
      }
    })
  }

  for (const width of [360, 1280]) {
    test(`the top bar of a signed-in seller stays where it is, ${width} px wide`, async ({ page }) => {
      await signedUp(page)
      await page.setViewportSize({ width, height: 740 })
      const arrive = await holdBackTheApp(page)
      await page.goto('/faq', { waitUntil: 'commit' })
      const bar = page.getByRole('navigation', { name: 'Main' })
      const theme = bar.getByRole('button', { name: 'Switch to dark theme' })
      const before = await theme.boundingBox()
      arrive()
      await expect(bar.getByRole('button', { name: 'Support Chat' })).toBeVisible()
      expect(await theme.boundingBox()).toEqual(before)
    })
  }

  test('the landing page does not shift when its second column arrives', async ({ page }) => {
    await page.goto('/')
    const heading = main(page).getByRole('heading', { level: 1 })
    const top = () => heading.evaluate((element) => element.getBoundingClientRect().top)
    const whole = await top()
    // Hides the second column, as before it arrives.
    await main(page)
      .getByRole('region', { name: 'Quick value calculator' })
      .evaluate((column: HTMLElement) => column.style.setProperty('display', 'none'))
    expect(await top()).toBe(whole)
  })

  test.describe('before the app has started', () => {
    test('a search is applied after the start', async ({ page }) => {
      const arrive = await holdBackTheApp(page)
      await page.goto('/get-quote', { waitUntil: 'commit' })
      await page.getByLabel('Search brands').fill('steam')
      arrive()
      await expect(page.getByRole('region', { name: 'All Brands' }).getByRole('listitem')).toHaveCount(1)
    })

    test('an amount is never taken out of its field, where the next key would be all that is left', async ({
      page,
    }) => {
      await page.addInitScript(() => {
        const { prototype } = HTMLInputElement
        const real = Object.getOwnPropertyDescriptor(prototype, 'value') as PropertyDescriptor
        function set(this: HTMLInputElement, value: string) {
          if (this.value && !value) document.documentElement.dataset.emptied = this.value
          real.set?.call(this, value)
        }
        Object.defineProperty(prototype, 'value', { ...real, set })
      })
      const arrive = await holdBackTheApp(page)
      // The brand of the address shows after the start, which renders the field again.
      await page.goto('/get-quote?brand=amazon', { waitUntil: 'commit' })
      await page.getByLabel('Card value').fill('100,5')
      arrive()
      await expect(page.getByRole('region', { name: 'Your quote' }).getByText('$93.47')).toBeVisible()
      await expect(page.locator('html')).not.toHaveAttribute('data-emptied')
    })

    test('a button held down while the app starts still gets its click', async ({ page }) => {
      const arrive = await holdBackTheApp(page)
      await page.goto('/get-quote', { waitUntil: 'commit' })
      await page.getByLabel('Search brands').fill('starbucks')
      const list = page.getByRole('region', { name: 'All Brands' })
      await list.getByRole('button', { name: 'Starbucks' }).hover()
      await page.mouse.down()
      arrive()
      // Only the app knows the session, so this means that it has started.
      await expect(page.getByRole('navigation', { name: 'Main' }).getByText('Sign In')).toBeVisible()
      await page.mouse.up()
      await expect(page.getByRole('group', { name: 'Common card values' })).toBeVisible()
      await expect(list.getByRole('listitem')).toHaveCount(1)
    })

    test('clicks are replayed after the start, each once and in order', async ({ page }) => {
      const arrive = await holdBackTheApp(page)
      await page.goto('/get-quote', { waitUntil: 'commit' })
      await page
        .getByRole('button', { name: /^Steam/ })
        .first()
        .click()
      const theme = page.getByRole('button', { name: 'Switch to dark theme' })
      await theme.click()
      await theme.click()
      arrive()
      await expect(page.locator('html')).toHaveClass('dark')
      await expect(page.getByRole('group', { name: 'Common card values' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
    })

    test('a brand chosen on a phone leads to the amount, which was hidden', async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 740 })
      const arrive = await holdBackTheApp(page)
      await page.goto('/get-quote', { waitUntil: 'commit' })
      const popular = page.getByRole('region', { name: 'Popular Brands' })
      await popular.getByRole('button').first().click()
      arrive()
      await expect(page.getByLabel('Card value')).toBeFocused()
    })

    test('a form is submitted after the start, not into the address', async ({ page }) => {
      const arrive = await holdBackTheApp(page)
      await page.goto('/login', { waitUntil: 'commit' })
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByLabel('Password').fill('my dear secret')
      await page.getByLabel('Password').press('Enter')
      arrive()
      await expect(page.getByText('Invalid credentials').first()).toBeVisible()
      expect(page.url()).not.toContain('secret')
    })
  })
})

/** Cumulative layout shift (CLS) since the page was loaded. */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let sum = 0
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    // Shifts are reported after their frame is painted.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    add(observer.takeRecords())
    return sum
  })
}

async function expectCard(page: Page, address: string): Promise<void> {
  const canonical = await page.locator('link[rel="canonical"]').getAttribute('href')
  expect(canonical).toBe(address)
  expect((await page.locator('meta[name="description"]').getAttribute('content'))?.length).toBeGreaterThan(50)
  await expect(page.locator('meta[property="og:url"]')).toHaveAttribute('content', address)
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', await page.title())
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content')
  expect((await page.request.get(picture ?? '')).headers()['content-type']).toBe('image/png')
}

/** @returns a function that lets the app load */
async function holdBackTheApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
