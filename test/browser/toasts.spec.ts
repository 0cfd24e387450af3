import type { Page } from '@playwright/test'
import { letItShow, skipTime, stopTheClock } from './clock.ts'
import { expect, test } from './fixtures.ts'

const region = (page: Page) => page.getByRole('region', { name: /Notifications/ })
const shown = (page: Page) => region(page).getByRole('listitem')

/** Shows a toast with a unique text. @returns its maximum age in milliseconds */
async function toast(page: Page, message: string): Promise<number> {
  await page.unroute('**/api/auth/login')
  await page.route('**/api/auth/login', (route) =>
    route.fulfill({ status: 401, json: { code: 'unauthorized', message } }),
  )
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  const age = await letItShow(page, message)
  // The toast appears a moment before the button knows that its request has ended.
  await page.clock.runFor(10)
  return age + 10
}

test.beforeEach(async ({ page }) => {
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel('Email').fill('sally@example.com')
  await page.getByLabel('Password').fill('whatever it is')
  await stopTheClock(page)
})

test('shows one toast at a time, for five seconds', async ({ page }) => {
  await toast(page, 'The first')
  const age = await toast(page, 'The second')
  await expect(shown(page)).toHaveCount(1)
  await expect(page.getByText('The first')).toHaveCount(0)
  await page.clock.runFor(4_900 - age)
  await expect(shown(page)).toHaveCount(1)
  await page.clock.runFor(200 + age)
  await expect(shown(page)).toHaveCount(0)
})

test('F8 focuses the toast, which stays while focused', async ({ page }) => {
  await toast(page, 'Look here')
  await page.getByLabel('Email').focus()
  await page.keyboard.press('F8')
  await expect(region(page).getByRole('list')).toBeFocused()
  await skipTime(page, 20_000)
  await expect(shown(page)).toHaveCount(1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(shown(page).getByRole('button', { name: 'Dismiss' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(shown(page)).toHaveCount(0)
})

test('a swipe to the right dismisses it; a short swipe or one to the left does not', async ({ page }) => {
  await toast(page, 'Swipe me')
  await swipe(page, 40)
  await expect(shown(page)).toHaveCount(1)
  await swipe(page, -120)
  await expect(shown(page)).toHaveCount(1)
  await swipe(page, 60)
  await expect(shown(page)).toHaveCount(0)
})

async function swipe(page: Page, distance: number): Promise<void> {
  const box = await shown(page).boundingBox()
  if (!box) throw new Error('There is no toast')
  const [x, y] = [box.x + box.width / 3, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + distance / 2, y, { steps: 4 })
  await page.mouse.move(x + distance, y, { steps: 4 })
  await page.mouse.up()
}

test('an error closes on the next screen', async ({ page }) => {
  await toast(page, 'Not this password')
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click()
  await expect(page).toHaveURL('/faq')
  await expect(shown(page)).toHaveCount(0)
})
