import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { screenList } from '#contract/screens.ts'
import { expect, test } from './fixtures.ts'
import { chooseTheme } from './looks.ts'

const prerendered = screenList.filter((screen) => screen.prerendered)
const main = (page: Page) => page.getByRole('main')

test.describe('prerendered pages', () => {
  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    for (const { path, indexed } of prerendered) {
      test(`${path} can be read`, async ({ page, site }) => {
        const answer = await page.goto(path)
        expect(answer?.status()).toBe(200)
        await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible()
        await expect(main(page).getByText('This page does not exist')).toHaveCount(0)
        await expect(page.getByRole('contentinfo')).toBeVisible()
        // Chromium under test switches scripts off too late for its parser to show it.
        expect(await answer?.text()).toMatch(/<noscript>.*Quotes and forms need JavaScript/s)
        await expect(page).toHaveTitle(/^.+ · Unspent$/)
        await expect(page.locator('title')).toHaveCount(1)
        if (indexed) await expectCard(page, `${site}${path}`)
        else await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
      })
    }

    test('/get-quote lists the catalogue', async ({ page }) => {
      await page.goto('/get-quote')
      await expect(page.getByRole('region', { name: 'All Brands' }).getByRole('listitem')).toHaveCount(67)
    })

    test('a form puts nothing of what was typed into the address', async ({ page }) => {
      await page.goto('/login')
      await page.getByLabel('Password').fill('my dear secret')
      await page.getByLabel('Password').press('Enter')
      await page.waitForLoadState()
      expect(page.url()).not.toContain('secret')
    })
  })

  test('run nothing inline but what their policy names', async ({ request }) => {
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

  test('each have a title and a description of their own', async ({ request }) => {
    const indexed = prerendered.filter((screen) => screen.indexed)
    const told = async (pattern: RegExp) =>
      new Set(
        await Promise.all(
          indexed.map(async ({ path }) => pattern.exec(await (await request.get(path)).text())?.[1] ?? path),
        ),
      )
    expect((await told(/<title>(.*?)<\/title>/)).size).toBe(indexed.length)
    const descriptions = await told(/<meta name="description" content="(.*?)"/)
    expect(descriptions.size).toBe(indexed.length)
    // What a result page shows of one.
    expect([...descriptions].filter((text) => text.length < 50 || text.length > 160)).toEqual([])
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`are taken over by the app as they are, ${theme}`, async ({ page }) => {
      await chooseTheme(page, theme)
      // A phone's width in one of the themes: shifts show there first.
      if (theme === 'dark') await page.setViewportSize({ width: 360, height: 740 })
      for (const { path } of prerendered) {
        await page.goto(path)
        await main(page)
          .getByRole('heading', { level: 1 })
          .evaluate((heading) => heading.setAttribute('data-seen', ''))
        // The session is known only to the app.
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

  test('the landing page does not move while its second column is still to come', async ({ page }) => {
    await page.goto('/')
    const heading = main(page).getByRole('heading', { level: 1 })
    const top = () => heading.evaluate((element) => element.getBoundingClientRect().top)
    const whole = await top()
    // As it is painted when the parser or the connection has delivered only this much.
    await main(page)
      .getByRole('region', { name: 'Quick value calculator' })
      .evaluate((column: HTMLElement) => column.style.setProperty('display', 'none'))
    expect(await top()).toBe(whole)
  })

  test.describe('before the app is there', () => {
    test('a search that was typed counts once it is', async ({ page }) => {
      const arrive = await holdBackTheApp(page)
      await page.goto('/get-quote', { waitUntil: 'commit' })
      await page.getByLabel('Search brands').fill('steam')
      arrive()
      await expect(page.getByRole('region', { name: 'All Brands' }).getByRole('listitem')).toHaveCount(1)
    })

    test('a button that is pressed while the app starts gets its click, although a search is applied', async ({
      page,
    }) => {
      const arrive = await holdBackTheApp(page)
      await page.goto('/get-quote', { waitUntil: 'commit' })
      await page.getByLabel('Search brands').fill('starbucks')
      const list = page.getByRole('region', { name: 'All Brands' })
      await list.getByRole('button', { name: 'Starbucks' }).hover()
      await page.mouse.down()
      arrive()
      // The app knows who is signed in, so it has started.
      await expect(page.getByRole('navigation', { name: 'Main' }).getByText('Sign In')).toBeVisible()
      await page.mouse.up()
      await expect(page.getByRole('group', { name: 'Common card values' })).toBeVisible()
      await expect(list.getByRole('listitem')).toHaveCount(1)
    })

    test('what was pressed is pressed once it is, each once and in its order', async ({ page }) => {
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

    test('a form that was sent is sent once it is, and not into the address', async ({ page }) => {
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

/** How far things have moved by themselves since the page came (CLS). */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let sum = 0
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    // A shift is known once its frame was painted.
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

/** @returns lets it come */
async function holdBackTheApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
