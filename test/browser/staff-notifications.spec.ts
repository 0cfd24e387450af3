import type { Page } from '@playwright/test'
import { conversation, list, open, say } from './chat-desk.ts'
import { expect, test } from './desk.ts'
import { asStaff, expectToast, signedUp, submitCard } from './sellers.ts'

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })

test('lists what toasts have announced, and counts it in the tab title', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  await staffPage.goto('/admin?tab=users')
  await expect(staffPage.getByText('Live', { exact: true })).toBeVisible()
  // Clears what earlier tests have left.
  await say(page, 'Before')
  await expectToast(staffPage, 'New Chat Message', `${seller.username}: Before`)
  await expect(bell(staffPage)).toHaveAccessibleName(/^Notifications, \d+ unread$/)
  await bell(staffPage).click()
  await staffPage.getByRole('button', { name: 'Mark all as read' }).click()
  await staffPage.keyboard.press('Escape')
  await expect(bell(staffPage)).toHaveAccessibleName('Notifications')
  await expect(staffPage).toHaveTitle('Users · Unspent')

  const long = 'A message that is longer than fifty characters, by a good many words'
  await say(page, 'First')
  await say(page, long)
  await expectToast(staffPage, 'New Chat Message', `${seller.username}: ${long.slice(0, 50)}...`)
  const id = await submitCard(page)
  await expectToast(staffPage, 'New Submission', `Amazon from ${seller.username}`)
  await expect(
    staffPage.getByRole('region', { name: /^Notifications/ }).getByRole('listitem'),
    'one toast at a time',
  ).toHaveCount(1)
  await expect(bell(staffPage)).toHaveAccessibleName('Notifications, 2 unread')
  await expect(staffPage).toHaveTitle('(2) Users · Unspent')
  await staffPage.reload()
  await expect(bell(staffPage)).toHaveAccessibleName('Notifications, 2 unread')

  await bell(staffPage).click()
  const notifications = staffPage.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')
  await expect(notifications.first()).toContainText(
    `Unread: New Submission${seller.username}: Amazon, $100.00`,
  )
  await expect(notifications.nth(1)).toContainText('3 New Chat Messages')
  await notifications.first().getByRole('link').click()
  await expect(staffPage).toHaveURL(new RegExp(`/admin\\?id=${id}`))
  await expect(bell(staffPage)).toHaveAccessibleName('Notifications, 1 unread')
  await bell(staffPage).click()
  await notifications.nth(1).getByRole('link').click()
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(seller.username)
  await expect(bell(staffPage)).toHaveAccessibleName('Notifications')
  await expect(staffPage).toHaveTitle('Chat Management · Unspent')
})

test('plays a sound only when it is switched on', async ({ page, staffPage }) => {
  await staffPage.addInitScript(() => {
    const counting = window as unknown as { notes: number }
    counting.notes = 0
    const start = OscillatorNode.prototype.start
    OscillatorNode.prototype.start = function (when) {
      counting.notes += 1
      start.call(this, when)
    }
  })
  const notes = () => staffPage.evaluate(() => (window as unknown as { notes: number }).notes)
  const seller = await signedUp(page)
  await asStaff(staffPage)
  await open(staffPage)
  await bell(staffPage).click()
  const sound = staffPage.getByRole('checkbox', { name: 'Play a sound' })
  await expect(sound).not.toBeChecked()
  await say(page, 'Quiet')
  await expectToast(staffPage, 'New Chat Message', `${seller.username}: Quiet`)
  expect(await notes()).toBe(0)
  await sound.check()
  await expect.poll(notes).toBe(2)
  await staffPage.reload()
  await expect(staffPage.getByText('Live', { exact: true })).toBeVisible()
  await list(staffPage).getByRole('heading').click()
  await say(page, 'Loud')
  await expect.poll(notes).toBe(2)
  await bell(staffPage).click()
  await sound.uncheck()
  await say(page, 'Quiet again')
  await expectToast(staffPage, 'New Chat Message', `${seller.username}: Quiet again`)
  expect(await notes()).toBe(2)
})
