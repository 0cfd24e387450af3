import { codeFrom } from '../authenticator.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessible, expectNoHorizontalScroll } from './looks.ts'
import { expectToast, forgive, mailedLink, signedUp } from './sellers.ts'

test('a seller turns the second factor on, signs in with it, and turns it off', async ({
  page,
  dataDir,
  complaints,
}) => {
  test.slow()
  const seller = await signedUp(page)
  await page.goto('/account/security')
  await expect(page.getByText('Please confirm your email address first.')).toBeVisible()
  const link = await mailedLink(dataDir, seller.email, '/confirm-email')
  const token = new URL(link, 'http://localhost').searchParams.get('token')
  expect((await page.request.post('/api/auth/confirm-email', { data: { token } })).status()).toBe(200)

  await page.reload()
  await page.getByRole('button', { name: 'Set Up Second Factor' }).click()
  const password = page.getByLabel('Your password')
  await password.fill(seller.password)
  await password.press('Enter')
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  const key = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()
  const secret = key?.replaceAll(' ', '') ?? ''
  await expectAccessible(page)
  const code = page.getByLabel('Code', { exact: true })
  await page.getByRole('button', { name: 'Switch on' }).click()
  await expect(code).toHaveAccessibleDescription(/Code is required/)
  await code.fill(codeFrom(secret))
  await code.press('Enter')
  await expectToast(page, 'Second factor on')
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [first = '', second = ''] = await codes.allTextContents()
  await expectAccessible(page)
  await expectNoHorizontalScroll(page)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('unspent-recovery-codes.txt')
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('10 recovery codes left')).toBeVisible()

  await page.goto('about:blank')
  await page.request.post('/api/auth/logout')
  await page.goto('/login')
  await page.getByLabel('Email').fill(seller.email)
  await page.getByLabel('Password').fill(seller.password)
  await page.getByRole('button', { name: 'Sign In' }).last().click()
  const asked = page.getByLabel('Authentication code')
  await expect(asked).toBeFocused()
  await expectAccessible(page)
  await asked.fill('000000')
  await asked.press('Enter')
  await expect(asked).toHaveAccessibleDescription(/This code is not valid/)
  await asked.fill(first.toLowerCase())
  await asked.press('Enter')
  await expectToast(page, 'Welcome back!')
  await expect(page).toHaveURL(/\/$/)
  forgive(complaints, /status of 401/)

  await page.goto('/account/security')
  await expect(page.getByText('9 recovery codes left')).toBeVisible()
  await page.getByRole('button', { name: 'Switch Off' }).click()
  await password.fill(seller.password)
  await code.fill(second)
  await code.press('Enter')
  await expectToast(page, 'Second factor off')
  await expect(page.getByRole('button', { name: 'Set Up Second Factor' })).toBeVisible()
})
