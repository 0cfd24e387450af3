import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from './desk.ts'
import { expectAccessible } from './looks.ts'
import { expectToast } from './sellers.ts'
import { newAdministrator, screens, signedIn } from './staff-people.ts'

test('an owner creates an API token, which works until it is revoked', async ({
  staffPage,
  request,
  database,
}) => {
  await signedIn(staffPage, await newAdministrator(database))
  await staffPage.goto('/admin')
  await screens(staffPage).getByRole('link', { name: 'API tokens' }).click()
  await staffPage.getByRole('button', { name: 'Create token' }).click()
  const dialog = staffPage.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByLabel('Name')).toHaveAccessibleDescription(/Name is required/)
  const name = `export ${process.pid}`
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Expires').selectOption('In 30 days')
  await expectAccessible(staffPage)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog).toContainText('Copy the token now. It is not shown again.')
  const token = await dialog.locator('code').first().textContent()
  await expectAccessible(staffPage)
  await dialog.getByRole('button', { name: 'Done' }).click()

  const call = () => request.get('/api/admin/queue', { headers: { authorization: `Bearer ${token}` } })
  expect((await call()).status()).toBe(200)
  const row = staffPage.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('Never')
  await staffPage.reload()
  await expect(row).not.toContainText('Never')
  await expectAccessible(staffPage)
  await staffPage.getByRole('button', { name: `Revoke ${name}` }).click()
  await dialog.getByRole('button', { name: 'Revoke token' }).click()
  await expectToast(staffPage, 'Token Revoked')
  await expect(row).toHaveCount(0)
  expect((await call()).status()).toBe(401)
})

test('an owner adds a webhook, tests it, resends a delivery and deletes it', async ({
  staffPage: page,
  database,
}) => {
  let answer = 503
  const receiver = createServer((_request, response) => void response.writeHead(answer).end())
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  await signedIn(page, await newAdministrator(database))
  await page.goto('/admin')
  await screens(page).getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog')
  const address = dialog.getByLabel('Address')
  await address.fill('ftp://127.0.0.1')
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(address).toHaveAccessibleDescription(/https/)
  for (const event of await dialog.getByRole('checkbox').all()) await event.uncheck()
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog).toContainText('choose at least one event')
  await expectAccessible(page)
  await dialog.getByLabel('payout.paid').check()
  await address.fill(url)
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.locator('code').first()).toContainText('whsec_')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: url }).click()

  await page.getByRole('button', { name: 'Send test' }).click()
  await expectToast(page, 'Test Sent')
  const delivery = page.getByRole('row', { name: /webhook\.test/ })
  await expect(delivery).toContainText('Waiting')
  await expect(delivery).toContainText('503')
  await expectAccessible(page)
  answer = 204
  await delivery.getByRole('button', { name: 'Resend webhook.test' }).click()
  await expect(delivery).toContainText('Delivered')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused')).toBeVisible()
  await page.getByRole('button', { name: 'New secret' }).click()
  await dialog.getByRole('button', { name: 'Make secret' }).click()
  await expect(dialog.locator('code').first()).toContainText('whsec_')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page).toHaveURL('/admin/webhooks')
  await expect(page.getByRole('link', { name: url })).toHaveCount(0)
  receiver.closeAllConnections()
  receiver.close()
})
