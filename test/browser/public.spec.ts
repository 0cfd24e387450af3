import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectAccessibleInBothThemes } from './looks.ts'
import { signedUp } from './sellers.ts'

const main = (page: Page) => page.getByRole('main')

test.describe('the landing page', () => {
  test('shows its selling points', async ({ page }) => {
    await page.goto('/')
    for (const [name, figure] of [
      ['supported brands', '50+'],
      ['average rate', '~95%'],
      ['cards traded', '10,000+'],
      ['paid out', '$2M+'],
      ['rating', '4.9/5'],
    ] as const) {
      const sellingPoint = main(page).locator('dl > div').filter({ hasText: name })
      await expect(sellingPoint.getByText(figure, { exact: true })).toBeVisible()
    }
    for (const promise of ['Instant quotes', 'Secure handling', 'Same-day payout']) {
      await expect(main(page).getByText(promise, { exact: true })).toBeVisible()
    }
    await expect(main(page).getByText(/No hidden fees, free processing/)).toBeVisible()
  })

  test('shows three examples, six brands with their rates, four steps and six payout methods', async ({
    page,
  }) => {
    await page.goto('/')
    const examples = page.getByRole('region', { name: 'Quick value calculator' }).getByRole('listitem')
    await expect(examples).toHaveText([
      /Amazon\$100 card.*\$93\.00/,
      /iTunes\$50 card.*\$45\.50/,
      /Steam\$25 card.*\$22\.00/,
    ])
    const brands = page.getByRole('region', { name: 'Brands people sell most' }).getByRole('listitem')
    await expect(brands).toHaveText([
      /Amazon93%/,
      /Apple iTunes91%/,
      /Walmart91%/,
      /Starbucks89%/,
      /Steam88%/,
      /Target91%/,
    ])
    const steps = page.getByRole('region', { name: 'How It Works' }).getByRole('heading', { level: 3 })
    await expect(steps).toHaveText([
      'Select Your Card',
      'Get Instant Quote',
      'Upload & Verify',
      'Get Paid Fast',
    ])
    await expect(page.getByText(/reaches you within hours/)).toBeVisible()
    const methods = page.getByRole('region', { name: 'Paid the way you choose' }).getByRole('listitem')
    await expect(methods).toHaveText(['PayPal', 'Venmo', 'Zelle', 'Chime', 'Cash App', 'Bank Transfer'])
  })

  test('calculates a quote by the live catalog, or says why there is none', async ({ page }) => {
    await page.route('**/api/brands', async (route) => {
      const catalog: { value: string }[] = await (await route.fetch()).json()
      await route.fulfill({
        json: catalog.map((brand) => (brand.value === 'walmart' ? { ...brand, rate: '80.00' } : brand)),
      })
    })
    await page.goto('/')
    const calculator = page.getByRole('region', { name: 'Quick value calculator' })
    const result = calculator.getByRole('status')
    await expect(result).toHaveText(/\$93\.00/)
    await calculator.getByLabel('Brand').selectOption('Walmart')
    await expect(result).toHaveText(/\$80\.00/)
    await calculator.getByLabel('Card value').fill('20')
    await expect(calculator.getByText('Minimum amount for Walmart is $50')).toBeVisible()
    await calculator.getByRole('button', { name: /^iTunes/ }).click()
    await expect(calculator.getByLabel('Brand')).toHaveValue('itunes')
    await expect(result).toHaveText(/\$45\.50/)
    await calculator.getByRole('link', { name: 'Sell This Card' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(main(page).getByText('Apple iTunes, $50.00')).toBeVisible()
  })

  test('finds any brand, also misspelled', async ({ page }) => {
    await page.goto('/')
    const brands = page.getByRole('region', { name: 'Brands people sell most' })
    await brands.getByLabel('Search all brands').fill('sephra')
    await expect(brands.getByRole('listitem')).toHaveText([/Sephora88%/])
    await brands.getByRole('link', { name: /Sephora/ }).click()
    await expect(page).toHaveURL(/\/get-quote\?brand=sephora$/)
  })

  test('explains how cards are protected and links to the details', async ({ page }) => {
    await page.goto('/')
    const trust = page.getByRole('region', { name: 'As good as cash, and handled like it.' })
    await expect(trust.getByRole('listitem')).toHaveCount(6)
    await trust.getByRole('link', { name: 'How we protect your card' }).click()
    await expect(page).toHaveURL(/\/security$/)
  })

  test('links each brand to its quote', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    const brands = page.getByRole('region', { name: 'Brands people sell most' })
    await brands.getByRole('link', { name: /Apple iTunes/ }).click()
    await expect(page).toHaveURL(/\/get-quote\?brand=itunes$/)
    await expect(page.getByText('Pays 91% · $25 to $2,000')).toBeInViewport()
    await expect(page.getByLabel('Card value')).toBeInViewport()
  })

  test('links to the quote and scrolls to how it works', async ({ page }) => {
    await page.goto('/')
    const steps = page.getByRole('heading', { name: 'How It Works' })
    await expect(steps).not.toBeInViewport()
    await page.getByRole('button', { name: 'How It Works' }).click()
    await expect(steps).toBeInViewport()
    await page.getByRole('link', { name: 'View All Supported Brands' }).click()
    await expect(page).toHaveURL(/\/get-quote$/)
    await page.getByRole('link', { name: 'Back to Home' }).click()
    // The quote screen has a field of this name too, and stays until the next screen is ready.
    const calculator = page.getByRole('region', { name: 'Quick value calculator' })
    await calculator.getByLabel('Card value').fill('50')
    await expect(page.getByRole('status').getByText('$46.50')).toBeVisible()
    await page.getByRole('link', { name: 'Get My Quote Now' }).first().click()
    await expect(page.getByLabel('Card value')).toHaveValue('50')
    await expect(page.getByRole('status').getByText('$46.50')).toBeVisible()
    await expect(page).toHaveURL(/\/get-quote$/)
  })

  test('offers to create an account only while signed out', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Create Account' }).click()
    await expect(page).toHaveURL(/\/register$/)
    await signedUp(page)
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Create Account' })).toHaveCount(0)
  })
})

test.describe('looks', () => {
  // Checking a page with a hundred buttons twice is slow on a busy machine.
  test.describe.configure({ timeout: 120_000 })
  test.use({ viewport: { width: 360, height: 740 }, contextOptions: { reducedMotion: 'reduce' } })
  const screens = [
    '/',
    '/get-quote',
    '/contact',
    '/contact/chat?session=cut-off',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password?token=x',
    '/restore-email?token=x',
    '/confirm-email?token=x',
    '/unsubscribe?token=x.offer.x',
    '/no-such-page',
  ]
  test('the amount is in the first screen of a phone', async ({ page }) => {
    // Without a brand there is no amount yet: the quote page begins with the brands.
    const quoted = 'get-quote?brand=amazon&value=100'
    for (const path of ['/', '/es', `/${quoted}`, `/es/${quoted}`]) {
      await page.goto(path)
      await expect(page.getByRole('main').locator('output').first(), path).toBeInViewport({ ratio: 1 })
    }
  })

  for (const path of screens) {
    test(`${path} is accessible and fits a phone, light and dark`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
      await expectAccessibleInBothThemes(page)
    })
  }
})
