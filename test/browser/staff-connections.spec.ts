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
