import { expect, test } from './fixtures.ts'

test('the API page lists every route and opens what a route takes', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page).toHaveTitle('Unspent API')
  const call = page.locator('#operations-Payment_methods-addPaymentMethod')
  await expect(call).toContainText('POST')
  await call.getByRole('button').first().click()
  await expect(call.getByText('Request body').first()).toBeVisible()
})
