import type { Page } from '@playwright/test'
import { test as base, expect, listen } from './fixtures.ts'
import { expectNoHorizontalScroll } from './looks.ts'
import { signedUp } from './sellers.ts'

const test = base.extend({
  // Most computers show a scroll bar, which makes the page narrower than the window.
  context: async ({ playwright, launchOptions, site, complaints }, use) => {
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      ignoreDefaultArgs: ['--hide-scrollbars'],
    })
    const context = await browser.newContext({ baseURL: site })
    listen(context, complaints)
    await use(context)
    await browser.close()
  },
})

const links = [
  ['Help Center', '/help'],
  ['Contact Us', '/contact'],
  ['FAQ', '/faq'],
  ['Terms of Service', '/terms'],
  ['Privacy Policy', '/privacy'],
  ['Security', '/security'],
  ['Sell Gift Cards', '/quote'],
  ['Status', '/help'],
  ['Trust & Safety', '/security'],
] as const

test('footer links lead to the top of their page', async ({ page }) => {
  const footer = page.getByRole('contentinfo')
  await page.goto('/')
  for (const column of ['Services', 'Support', 'Legal']) {
    await expect(footer.getByRole('heading', { name: column })).toBeVisible()
  }
  await expect(footer.getByText('© 2025 Unspent. All rights reserved.')).toBeVisible()
  await expect(footer.getByText(/^Turn gift cards you will not use into cash/)).toBeVisible()
  for (const [name, path] of links) {
    const link = footer.getByRole('link', { name, exact: true })
    await link.scrollIntoViewIfNeeded()
    await link.click()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeInViewport()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  }
})

test('a footer link to the current page scrolls to its top', async ({ page }) => {
  await page.goto('/faq')
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

test('the chat button covers no footer link and widens no page', async ({ page }) => {
  await signedUp(page)
  await page.goto('/restore-email')
  for (const width of [360, 768, 1024, 1440, 1456, 1472, 1504, 1520, 1920]) {
    await page.setViewportSize({ width, height: 720 })
    await expect(page.getByRole('button', { name: 'Support Chat' })).toBeVisible()
    await expect.poll(() => linksCovered(page), `${width} px`).toEqual([])
    await test.step(`the width of the page at ${width} px`, () => expectNoHorizontalScroll(page))
  }
})

/** Footer links that something covers at the end of the page. */
function linksCovered(page: Page): Promise<(string | null)[]> {
  return page.evaluate(() => {
    scrollTo(0, document.documentElement.scrollHeight)
    const isUncovered = (link: Element) => {
      const { left, right, top, bottom } = link.getBoundingClientRect()
      const corners = [left + 1, right - 1].flatMap((x) => [top + 1, bottom - 1].map((y) => [x, y] as const))
      return corners.every(([x, y]) => link.contains(document.elementFromPoint(x, y)))
    }
    const links = [...document.querySelectorAll('footer a')]
    return links.filter((link) => !isUncovered(link)).map((link) => link.textContent)
  })
}
