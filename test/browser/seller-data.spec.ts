import { readFile } from 'node:fs/promises'
import { SELLER_PASSWORD } from '../people.ts'
import { unzip } from '../zip.ts'
import { expect, test } from './fixtures.ts'
import { expectToast, forgive, signedUp } from './sellers.ts'

test('a seller downloads everything and deletes the account', async ({ page, complaints }) => {
  await signedUp(page)
  await page.goto('/account/data')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Your Data' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^my-data-.+\.zip$/)
  expect([...unzip(await readFile(await file.path())).keys()]).toContain('profile.json')
  await expectToast(page, 'Download ready')

  await page.getByRole('button', { name: 'Delete Your Account' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('What stays, and why')).toBeVisible()
  await expect(dialog.getByText('Your tax details')).toBeVisible()
  await dialog.getByLabel('Your password').fill('not my password')
  await dialog.getByRole('button', { name: 'Delete for Good' }).click()
  await expect(dialog.getByLabel('Your password')).toBeFocused()
  forgive(complaints, /status of 400/)
  await dialog.getByLabel('Your password').fill(SELLER_PASSWORD)
  await dialog.getByRole('button', { name: 'Delete for Good' }).click()
  await expectToast(page, 'Your account has been deleted')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
})
