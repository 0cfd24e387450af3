import type { Locator } from '@playwright/test'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'
import { codeFrom } from '../authenticator.ts'
import { expect, test } from './desk.ts'
import { appSettled } from './fixtures.ts'
import { expectAccessible } from './looks.ts'
import { expectToast } from './sellers.ts'
import { command, enter, newAdministrator, screens, signedIn } from './staff-people.ts'

test('covers the second factor from the first scan to the last recovery code', async ({
  staffPage,
  database,
}) => {
  test.slow()
  const administrator = await newAdministrator(database)
  const code = staffPage.getByLabel('Code', { exact: true })
  await signedIn(staffPage, administrator)
  const menu = staffPage.getByRole('button', { name: /^Account menu/ })
  await staffPage.goto('/admin/brands')
  await menu.click()
  await staffPage.getByRole('menuitem', { name: 'Security' }).click()
  await staffPage.getByRole('button', { name: 'Set up second factor' }).click()
  const password = staffPage.getByLabel('Your password')
  await password.fill('a guess')
  await password.press('Enter')
  await expect(password).toHaveAccessibleDescription(/Current password is incorrect/)
  await password.fill(administrator.password)
  await password.press('Enter')
  const scanned = await scan(staffPage.getByRole('img', { name: /QR code/ }))
  expect(scanned).toMatch(`otpauth://totp/Unspent:${administrator.username}?`)
  const secret = new URL(scanned).searchParams.get('secret') ?? ''
  await expect(staffPage.getByText(secret.match(/.{4}/g)?.join(' ') ?? 'no secret')).toBeVisible()
  await expectAccessible(staffPage)

  await staffPage.getByRole('button', { name: 'Switch on' }).click()
  await expect(code).toHaveAccessibleDescription(/Code is required/)
  await code.fill(wrong(codeFrom(secret)))
  await staffPage.getByRole('button', { name: 'Switch on' }).click()
  await expect(code).toHaveAccessibleDescription(/This code is not valid/)
  await code.fill(codeFrom(secret))
  await staffPage.getByRole('button', { name: 'Switch on' }).click()
  await expectToast(staffPage, 'Second factor on')
  const codes = staffPage.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [first = '', second = ''] = await codes.allTextContents()
  const download = staffPage.waitForEvent('download')
  await staffPage.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('unspent-recovery-codes.txt')
  const leaving = staffPage.getByRole('dialog', { name: 'Leave without your recovery codes?' })
  await screens(staffPage).getByRole('link', { name: 'Brands' }).click()
  await leaving.getByRole('button', { name: 'Stay' }).click()
  await staffPage.goBack()
  await leaving.getByRole('button', { name: 'Stay' }).click()
  await expect(leaving).toHaveCount(0)
  await expect(staffPage).toHaveURL('/admin/security')
  await expect(codes).toHaveCount(10)
  await staffPage.getByRole('button', { name: 'I have saved them' }).click()
  await expect(staffPage.getByText('10 recovery codes left')).toBeVisible()
  await expect(staffPage.getByText(first)).toHaveCount(0)

  await staffPage.getByRole('button', { name: 'Logout' }).click()
  await expect(staffPage).toHaveURL('/admin/login')
  await enter(staffPage, { ...administrator, password: 'a guess' })
  await expectToast(staffPage, 'Login Failed', 'Invalid admin credentials')
  await enter(staffPage, administrator)
  const asked = staffPage.getByLabel('Authentication Code')
  await expect(asked).toBeFocused()
  await expectAccessible(staffPage)
  await asked.fill(wrong(codeFrom(secret)))
  await asked.press('Enter')
  await expectToast(staffPage, 'Login Failed', 'This code is not valid')
  await expect(asked).toHaveAccessibleDescription(/This code is not valid/)
  // The next code of the app, because switching on used the previous one.
  await asked.fill(codeFrom(secret, { stepsAhead: 1 }))
  await asked.press('Enter')
  await expectToast(staffPage, 'Login Successful')
  await expect(staffPage).toHaveURL('/admin/security')
  // The live channel is open: browsers log one that is refused because the session has ended.
  await appSettled(staffPage)

  await staffPage.getByRole('button', { name: 'Logout' }).click()
  await enter(staffPage, administrator)
  await asked.fill(first.toLowerCase())
  await asked.press('Enter')
  await expect(staffPage.getByText('9 recovery codes left')).toBeVisible()

  await staffPage.getByRole('button', { name: 'Switch off' }).click()
  await code.fill(first)
  await staffPage.getByRole('button', { name: 'Switch off' }).click()
  await expect(code).toHaveAccessibleDescription(/This code is not valid/)
  await code.fill(second)
  await staffPage.getByRole('button', { name: 'Switch off' }).click()
  await expectToast(staffPage, 'Second factor off')
  await staffPage.getByRole('button', { name: 'Logout' }).click()
  await enter(staffPage, administrator)
  await expect(staffPage.getByRole('button', { name: 'Set up second factor' })).toBeVisible()
})

test('leads an administrator who needs a second factor to its screen', async ({ staffPage, database }) => {
  await signedIn(staffPage, await newAdministrator(database))
  const me = await (await staffPage.request.get('/api/admin/me')).json()
  await staffPage.route('**/api/admin/me', (route) =>
    route.fulfill({ json: { ...me, needsSecondFactor: true } }),
  )
  await staffPage.goto('/admin?tab=users')
  await expect(staffPage).toHaveURL('/admin/security')
  await expect(staffPage.getByText('Set up your second factor first')).toBeVisible()
  await expect(screens(staffPage)).toHaveCount(0)
  await expect(staffPage.getByRole('region', { name: 'Passkeys' })).toBeVisible()
  await expect(staffPage.getByRole('region', { name: 'Password' })).toHaveCount(0)
})

test('signs in once by a link from the command line, on a press', async ({ staffPage, database }) => {
  const administrator = await newAdministrator(database)
  const said = await command(database, 'sign-in-link', administrator.username)
  const address = /^\/admin\/login\?link=\S+$/m.exec(said)?.[0] ?? ''
  await staffPage.context().clearCookies()
  await staffPage.goto(address)
  await staffPage.goto(address)
  await expectAccessible(staffPage)
  await staffPage.getByRole('button', { name: 'Access Admin Panel' }).click()
  await expectToast(staffPage, 'Login Successful')
  // With the submission that the desk opens, if there is one.
  await expect(staffPage).toHaveURL(/\/admin(\?id=.+)?$/)
  await staffPage.getByRole('button', { name: 'Logout' }).click()
  await expect(staffPage).toHaveURL('/admin/login')
  await staffPage.goto(address)
  await staffPage.getByRole('button', { name: 'Access Admin Panel' }).click()
  await expectToast(staffPage, 'Login Failed', 'This link has already been used or has expired')
})

/** What a phone reads from the QR code on the screen. */
async function scan(picture: Locator): Promise<string> {
  const { data, info } = await sharp(await picture.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) })
}

function wrong(code: string): string {
  return code === '000000' ? '000001' : '000000'
}
