import { seriousFaults } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { chooseTheme } from './looks.ts'

test.describe('the description of the calls', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('can be read on a phone in the dark, and opens what one looks for', async ({ page }) => {
    await chooseTheme(page, 'dark')
    await page.goto('/api/docs')
    await expect(page).toHaveTitle('Unspent API')
    await page.getByRole('link', { name: 'Payment methods' }).click()
    const call = page.locator('#addPaymentMethod')
    await expect(call.getByText('accountName', { exact: true })).toBeHidden()
    await call.getByRole('heading', { name: '/api/payment-methods' }).click()
    await expect(call.getByText('accountName', { exact: true })).toBeVisible()
    await expect(call.getByText('at most 30 calls in an hour')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    expect(await seriousFaults(page, 'everything', 'section:has(#addPaymentMethod)')).toEqual([])
    await call.getByRole('link', { name: 'PaymentMethod' }).click()
    await expect(page).toHaveURL(/#shape-PaymentMethod$/)
  })

  test('needs no script', async ({ browser, site }) => {
    const context = await browser.newContext({ baseURL: site, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/api/docs')
    await page.locator('#login').getByText('/api/auth/login').click()
    await expect(page.locator('#login').getByText('invalid_credentials')).toBeVisible()
    await context.close()
  })
})
