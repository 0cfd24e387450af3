import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const root = (page: Page) => page.locator('html')
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('theme'))

test.describe('the theme', () => {
  // The device's preference is ignored.
  test.use({ colorScheme: 'dark' })

  test('is light by default and remembers the choice', async ({ page }) => {
    await page.goto('/')
    await expect(root(page)).not.toHaveClass(/dark/)
    expect(await stored(page)).toBeNull()
    await page.getByRole('button', { name: 'Switch to dark theme' }).click()
    await expect(root(page)).toHaveClass('dark')
    expect(await stored(page)).toBe('dark')
    await page.goto('/faq')
    await expect(root(page)).toHaveClass('dark')
    await page.getByRole('button', { name: 'Switch to light theme' }).click()
    await expect(root(page)).not.toHaveClass(/dark/)
    expect(await stored(page)).toBe('light')
    await page.reload()
    await expect(root(page)).not.toHaveClass(/dark/)
  })

  test('is applied before the app starts and before the first paint', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('theme', 'dark'))
    await page.route(/\/assets\/.+\.js$/, () => {
      // The app never starts.
    })
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(root(page)).toHaveClass('dark')
    // The script is in the document's head, so nothing is painted before it runs.
    await expect(page.locator('head script:not([src], [type])')).toHaveCount(1)
  })

  test('is light if the stored value is invalid', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('theme', '<b>purple</b>'))
    await page.goto('/faq')
    await expect(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible()
    await expect(root(page)).not.toHaveClass(/dark/)
  })
})
