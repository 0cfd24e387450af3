import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { signedUp, tooMany } from './sellers.ts'

const visitor = {
  'First name': 'Vera',
  'Last name': 'Visitor',
  Email: 'vera@example.com',
  Subject: 'A used card',
  Message: 'Do you take a card that was used?',
}

async function fill(page: Page, values: Record<string, string> = visitor): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value)
}

const send = (page: Page) => page.getByRole('button', { name: 'Send Message' }).click()

test('shows the error at each field and focuses the first', async ({ page }) => {
  await page.goto('/contact')
  await send(page)
  for (const text of [
    'First name is required',
    'Last name is required',
    'Please enter a valid email',
    'Subject is required',
    'Message must be at least 10 characters',
  ]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  }
  await expect(page.getByLabel('First name')).toBeFocused()
  await fill(page, { ...visitor, Email: 'vera@', Message: 'too short' })
  await expect(page.getByText('First name is required')).toHaveCount(0)
  await expect(page.getByText('Please enter a valid email')).toBeVisible()
  await expect(page.getByText('Message must be at least 10 characters')).toBeVisible()
  await expect(page).toHaveURL(/\/contact$/)
})

test('reports a failure and keeps the message', async ({ page }) => {
  await page.goto('/contact')
  await page.route('**/api/contact', tooMany)
  await fill(page)
  await send(page)
  await expect(page.getByText('Error', { exact: true })).toBeVisible()
  await expect(page.getByText('Failed to send message. Please try again.', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue(visitor.Message)
  await page.unroute('**/api/contact')
  await send(page)
  await expect(page).toHaveURL(/\/contact\/chat\?session=/)
})

test('asks before sending a card number', async ({ page }) => {
  await page.goto('/contact')
  await fill(page, { ...visitor, Message: 'My card is 6006 4930 1234 5678, what now?' })
  await send(page)
  await expect(page.getByText('This looks like a card number')).toBeVisible()
  await page.getByRole('button', { name: 'Edit message' }).click()
  await expect(page.getByLabel('Message', { exact: true })).toBeFocused()
  await send(page)
  let started = 0
  await page.route('**/api/contact', (route) => {
    started += 1
    return route.continue()
  })
  await page.getByRole('button', { name: 'Send anyway' }).dblclick()
  await expect(page).toHaveURL(/\/contact\/chat\?session=/)
  expect(started).toBe(1)
})

test('shows other ways to reach support and response times', async ({ page }) => {
  await page.goto('/contact')
  const details = page.getByRole('complementary')
  for (const text of ['2-5 minutes', '2-4 hours', 'Mon-Fri, 9 AM - 6 PM EST']) {
    await expect(details.getByText(text)).toBeVisible()
  }
  // No addresses are configured.
  await expect(details.locator('a[href^="mailto:"], a[href^="tel:"]')).toHaveCount(0)
})

test.describe('in Los Angeles', () => {
  test.use({ timezoneId: 'America/Los_Angeles' })

  test('says when support opens', async ({ page, request }) => {
    expect(await (await request.get('/contact')).text()).not.toMatch(/Open now|Opens/)
    await page.clock.setFixedTime('2026-11-28T00:00:00Z')
    await page.goto('/contact')
    await expect(page.getByText('Opens Monday at 6 AM your time')).toBeVisible()
  })
})

test('fills in the name and email of a signed-in seller', async ({ page }) => {
  const seller = await signedUp(page)
  await page.goto('/contact')
  await expect(page.getByLabel('First name')).toHaveValue(seller.firstName)
  await expect(page.getByLabel('Email')).toHaveValue(seller.email)
})
