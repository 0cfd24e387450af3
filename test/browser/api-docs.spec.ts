import { expect, test } from './fixtures.ts'

test('the API page lists every route and opens what a route takes', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page).toHaveTitle('Unspent API')
  const call = page.locator('#operations-Payment_methods-addPaymentMethod')
  // The viewer renders routes when they are scrolled into view.
  await expect(async () => {
    await page.mouse.wheel(0, 500)
    await expect(call).toContainText('POST', { timeout: 100 })
  }).toPass()
  await call.getByRole('button').first().click()
  await expect(call.getByText('Request body').first()).toBeVisible()
})
