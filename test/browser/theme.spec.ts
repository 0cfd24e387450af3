import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const root = (page: Page) => page.locator('html')
const kept = (page: Page) => page.evaluate(() => localStorage.getItem('theme'))

test.describe('the theme', () => {
  // What a device prefers doesn't count: light is the default.
  test.use({ colorScheme: 'dark' })

  test('is light until somebody chooses, and stays as it was chosen', async ({ page }) => {
    await page.goto('/')
    await expect(root(page)).not.toHaveClass(/dark/)
    expect(await kept(page)).toBeNull()
    await page.getByRole('button', { name: 'Switch to dark theme' }).click()
    await expect(root(page)).toHaveClass('dark')
    expect(await kept(page)).toBe('dark')
    await page.goto('/faq')
    await expect(root(page)).toHaveClass('dark')
    await page.getByRole('button', { name: 'Switch to light theme' }).click()
    await expect(root(page)).not.toHaveClass(/dark/)
    expect(await kept(page)).toBe('light')
    await page.reload()
    await expect(root(page)).not.toHaveClass(/dark/)
  })

  test('is there before the app and before the first paint', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
    await page.route(/\/assets\/.+\.js$/, () => {
      // The app never comes.
    })
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(root(page)).toHaveClass('dark')
    // It stands in the page's head, so that nothing is painted before.
    await expect(page.locator('head script:not([src], [type])')).toHaveCount(1)
  })

  test('is light where nothing can be kept or something else is', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('theme', '<b>purple</b>'))
    await page.goto('/faq')
    await expect(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible()
    await expect(root(page)).not.toHaveClass(/dark/)
  })
})
