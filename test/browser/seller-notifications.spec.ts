import { seriousFaults } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { expectToast, forgive, signedUp, tooMany } from './sellers.ts'

test('a seller turns a notification off, which survives a reload, and a failed change is reverted', async ({
  page,
  complaints,
}) => {
  await signedUp(page)
  await page.goto('/account')
  const main = page.getByRole('main')
  const home = main.getByRole('link', { name: 'Home' })
  await expect(home).toHaveAttribute('aria-current', 'page')
  await main.getByRole('link', { name: 'Notifications' }).click()
  const offers = page.getByRole('switch', { name: 'Email Offers' })
  const replies = page.getByRole('switch', { name: 'Push Replies' })
  await expect(offers).toBeChecked()
  await expect(home).not.toHaveAttribute('aria-current')
  expect(await seriousFaults(page)).toEqual([])
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await offers.press('Space')
  await expect(offers).not.toBeChecked()
  await saved
  await page.reload()
  await expect(offers).not.toBeChecked()
  await expect(replies).toBeChecked()

  await page.route('**/api/user/notifications', tooMany)
  await replies.press('Space')
  await expectToast(page, 'Your change was not saved', 'Slow down')
  await expect(replies).toBeChecked()
  forgive(complaints, /status of 429/)
})
