import type { Page } from '@playwright/test'
import { appSettled, expect, test } from './fixtures.ts'
import { expectAccessibleInBothThemes } from './looks.ts'

const pages = [
  { path: '/terms', heading: 'Terms of Service' },
  { path: '/privacy', heading: 'Privacy Policy' },
  { path: '/security', heading: 'Security' },
  { path: '/help', heading: 'Help Center' },
  { path: '/faq', heading: 'Frequently Asked Questions' },
] as const

for (const { path, heading } of pages) {
  test.describe(path, () => {
    test.use({ viewport: { width: 360, height: 740 }, contextOptions: { reducedMotion: 'reduce' } })

    test('has its heading and title, is accessible and fits a phone, light and dark', async ({ page }) => {
      const answer = await page.goto(path)
      expect(answer?.status()).toBe(200)
      await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
      await expect(page).toHaveTitle(new RegExp(`^${heading} · `))
      await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
      await openEverything(page)
      await expectAccessibleInBothThemes(page)
    })
  })
}

for (const path of ['/terms', '/privacy', '/security']) {
  test(`the table of contents of ${path} leads to each section`, async ({ page }) => {
    await page.goto(path)
    const entries = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    const titles = await entries.allTextContents()
    expect(titles.length).toBeGreaterThan(5)
    for (const title of titles) {
      await entries.filter({ hasText: title }).first().click()
      await expect(page.getByRole('heading', { level: 2, name: title, exact: true })).toBeInViewport()
    }
  })
}

test('the terms name the times of offers, appeals and changed accounts', async ({ page }) => {
  await page.goto('/terms')
  for (const text of [
    'You have 72 hours to accept',
    'within 14 days of the rejection',
    'we wait 24 hours after',
  ]) {
    await expect(page.getByText(text)).toBeVisible()
  }
})

test('back and forward restore the scroll position after links within a page', async ({ page }) => {
  await page.goto('/terms')
  await appSettled(page)
  const contents = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
  const height = () => page.evaluate(() => scrollY)
  const heights = [await height()]
  for (const entry of [contents.nth(4), contents.last()]) {
    await entry.click()
    await expect.poll(height).not.toBe(heights.at(-1))
    heights.push(await height())
  }
  const [top, , last] = heights
  await page.goBack()
  await expect.poll(height).toBe(heights[1])
  await page.goBack()
  await expect(page).toHaveURL(/\/terms$/)
  await expect.poll(height).toBe(top)
  await page.goForward()
  await page.goForward()
  await expect.poll(height).toBe(last)
})

test('/security#trust-and-safety leads to its section', async ({ page }) => {
  await page.goto('/help')
  await page.goto('/security#trust-and-safety')
  await expect(page.getByRole('heading', { name: 'Trust & Safety' })).toBeInViewport()
})

test.describe('/faq', () => {
  test('has ten questions that open and close with the keyboard', async ({ page }) => {
    await page.goto('/faq')
    const questions = page.getByRole('main').locator('summary')
    await expect(questions).toHaveCount(10)
    for (const question of await questions.all()) {
      const answer = question.locator('xpath=..').locator('p').first()
      await expect(answer).toBeHidden()
      await question.focus()
      await page.keyboard.press('Enter')
      await expect(answer).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(answer).toBeHidden()
    }
  })

  test('makes every required statement', async ({ page }) => {
    await page.goto('/faq')
    await openEverything(page)
    for (const statement of [
      /no seller fees/i,
      /partial balances are accepted/i,
      /only United States issued cards are accepted/i,
      /bank transfer, PayPal, Venmo or check/i,
      /over 100 brands/i,
      /within 1-3 business days/i,
      /payment is immediate/i,
      /typically 1 hour.*up to 24 hours/i,
    ]) {
      await expect(page.getByRole('main').getByText(statement).first()).toBeVisible()
    }
  })

  test('opens the question in the address', async ({ page }) => {
    await page.goto('/faq#payout-time')
    await expect(page.getByText(/within 1-3 business days/)).toBeInViewport()
    await expect(page.getByText(/no seller fees/i)).toBeHidden()
  })
})

test.describe('/help', () => {
  test('finds topics and questions in any case and links to them', async ({ page }) => {
    await page.goto('/help')
    const search = page.getByLabel('Search for help')
    const results = page.getByRole('region', { name: 'Search results' })
    await expect(results).toHaveCount(0)
    await search.pressSequentially('VENMO')
    await expect(results.getByRole('link', { name: /How can I be paid/ })).toBeVisible()
    await search.fill('forgotten')
    await expect(results.getByRole('link')).toHaveCount(1)
    await expect(page.getByText('1 result', { exact: true })).toBeVisible()
    await search.fill('high-value')
    await results.getByRole('link', { name: /How long does verification take/ }).click()
    await expect(page).toHaveURL(/\/faq#verification-time$/)
    await expect(page.getByText(/High-value cards get a closer review/)).toBeInViewport()
  })

  test('gives advice when nothing is found, until cleared', async ({ page }) => {
    await page.goto('/help')
    const search = page.getByLabel('Search for help')
    await search.fill('<b>xylophone</b>')
    await expect(page.getByText('Nothing found for “<b>xylophone</b>”')).toBeVisible()
    const box = page.getByRole('search')
    await expect(box.getByText(/Try one shorter word/)).toBeVisible()
    await expect(box.getByRole('link', { name: 'Contact Support' })).toHaveAttribute('href', '/contact')
    await search.fill('   ')
    await expect(page.getByText(/Nothing found/)).toHaveCount(0)
  })

  test('shows how to reach a person and response times', async ({ page }) => {
    await page.goto('/help')
    const ask = page.getByRole('region', { name: 'Ask a person' })
    for (const text of ['2-5 minutes', '2-4 hours', 'Mon-Fri, 9 AM - 6 PM EST']) {
      await expect(ask.getByText(text)).toBeVisible()
    }
    // No email address is configured, so it links to the contact form.
    await expect(ask.getByRole('link', { name: 'Email Us' })).toHaveAttribute('href', '/contact')
    await ask.getByRole('link', { name: 'Contact Support' }).click()
    await expect(page).toHaveURL(/\/contact$/)
  })

  test('has no broken links', async ({ page }) => {
    await page.goto('/help')
    const hrefs = await page
      .getByRole('main')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    const addresses = [...new Set(hrefs)].filter((href) => !href.startsWith('mailto:'))
    expect(addresses.length).toBeGreaterThan(10)
    for (const address of addresses) {
      expect(address).toMatch(/^\//)
      const [path = '', anchor] = address.split('#')
      const answer = await page.request.get(path, { headers: { accept: 'text/html' } })
      expect(answer.status(), address).toBe(200)
      // Only that the anchor exists; scrolling is tested above.
      if (anchor) expect(await answer.text(), address).toContain(`id="${anchor}"`)
    }
  })
})

async function openEverything(page: Page): Promise<void> {
  const closed = page.getByRole('main').locator('details:not([open]) > summary')
  for (let left = await closed.count(); left > 0; left -= 1) await closed.first().click()
}
