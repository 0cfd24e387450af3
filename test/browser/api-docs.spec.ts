import { expect, test } from './fixtures.ts'

test('the API page lists every route and opens what a route takes', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page).toHaveTitle('Unspent API')
  const call = page.locator('#operations-Payment_methods-addPaymentMethod')
  await call.getByRole('button', { name: '/api/payment-methods' }).first().click()
  await expect(call.getByText('Request body')).toBeVisible()
})
