import type { Page } from '@playwright/test'
import { appSettled, expect, newSeller, register, test } from './fixtures.ts'
import { expectToast, forgive, signedUp } from './sellers.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name })
const dialog = (page: Page) => page.getByRole('dialog')

async function openProfile(page: Page) {
  await page.goto('/profile')
  await expect(part(page, 'Personal Information')).toBeVisible()
}

test('registration shows errors and welcomes the seller', async ({ page }) => {
  const first = await signedUp(page)
  await page.request.post('/api/auth/logout')
  await page.goto('/register')
  await page.getByRole('button', { name: 'Create Account' }).click()
  for (const name of ['Username', 'First name', 'Last name', 'Password']) {
    await expect(page.getByText(`${name} is required`)).toBeVisible()
  }
  await expect(page.getByText('Please enter a valid email')).toBeVisible()
  const form = page.getByRole('main')
  await expect(form.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms')
  await expect(form.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy')
  await register(page, newSeller())
  await expectToast(page, 'Welcome to Unspent!')
  // Leave first: an open page would try its live channel with the ended session.
  await page.goto('about:blank')
  await page.request.post('/api/auth/logout')
  await page.goto('/register')
  await page.getByLabel('First name').fill('Sam')
  await page.getByLabel('Last name').fill('Second')
  await page.getByLabel('Username').fill(newSeller().username)
  await page.getByLabel('Email').fill(first.email)
  await page.getByLabel('Password').fill('a quite good password')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(page, 'Registration failed')
  await expect(page.getByLabel('Email')).toBeFocused()
  const help = /This email is already registered.*Sign in, or set a new password/
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(help)
  const forgot = form.getByRole('link', { name: 'set a new password' })
  await expect(forgot).toHaveAttribute('href', '/forgot-password')
  await page.getByLabel('Email').fill('nobody')
  await expect(forgot).toHaveCount(0)
  await page.getByLabel('Email').fill(first.email)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await form.locator('form').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('the home leads to the tax details at the end of the profile', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signedUp(page)
  await page.route('**/api/user/home', async (route) => {
    const home = await (await route.fetch()).json()
    await route.fulfill({ json: { ...home, taxDetailsNeeded: true } })
  })
  const taxDetails = { asked: true, threshold: '20000.00', details: null, exports: [] }
  await page.route('**/api/user/tax-details', (route) => route.fulfill({ json: taxDetails }))
  // The section above arrives last.
  await page.route('**/api/payment-methods', async (route) => {
    const answer = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.fulfill({ response: answer })
  })
  await page.goto('/account')
  await page.getByRole('link', { name: 'Enter Tax Details' }).click()
  const heading = page.getByRole('heading', { name: 'Tax Details' })
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload()
    await expect(heading).toBeFocused()
    await expect(heading).toBeInViewport({ ratio: 1 })
    await expect(page.getByLabel('Street and number')).toBeInViewport()
  }
})

test('the account screens ask visitors to sign in', async ({ page }) => {
  for (const path of ['/profile', '/transactions', '/processing']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/login$/)
  }
})

test('personal information is checked, saved, and refused by the server', async ({ page, complaints }) => {
  const other = await signedUp(page)
  await signedUp(page)
  await openProfile(page)
  const form = part(page, 'Personal Information')
  const save = form.getByRole('button', { name: 'Save Changes' })
  await form.getByLabel('First name').fill(' ')
  await form.getByLabel('Last name').fill('')
  await form.getByLabel('Email').fill('nobody')
  await save.click()
  await expect(form.getByText('First name is required')).toBeVisible()
  await expect(form.getByText('Last name is required')).toBeVisible()
  await expect(form.getByText('Invalid email address')).toBeVisible()
  await form.getByLabel('First name').fill('Renamed')
  await form.getByLabel('Last name').fill('Person')
  await form.getByLabel('Email').fill(other.email)
  await save.click()
  await expectToast(page, 'Update Failed', 'This email is already registered')
  await expect(form.getByLabel('Email')).toBeFocused()
  await form.getByLabel('Email').fill(`new.${other.email}`)
  await page.route('**/api/user/profile', (route) => route.fulfill({ status: 502 }), { times: 1 })
  await save.click()
  await expectToast(page, 'Update Failed', 'Failed to update profile')
  await save.click()
  await expectToast(page, 'Profile Updated', 'Your profile has been updated successfully.')
  await page.getByRole('button', { name: 'My Account' }).click()
  await expect(page.getByText('Renamed')).toBeVisible()
  forgive(complaints, /502/)
})

test('payment methods can be added and deleted, and their numbers stay masked', async ({
  page,
  complaints,
}) => {
  await signedUp(page)
  await openProfile(page)
  const methods = part(page, 'Payment Methods')
  await expect(methods.getByText('No payment methods yet.')).toBeVisible()
  await methods.getByRole('button', { name: 'Add Payment Method' }).click()
  const add = dialog(page).getByRole('button', { name: 'Add Payment Method' })
  await expect(dialog(page).getByLabel('Payment method').locator('option')).toHaveText([
    'Choose a method',
    'PayPal',
    'Venmo',
    'Zelle',
    'Cash App',
    'Chime',
    'Bank Transfer',
    'Other',
  ])
  const name = dialog(page).getByLabel('Account name')
  await expect(name).toHaveValue(/^Sally /)
  await name.fill('')
  await add.click()
  await expect(dialog(page).getByText('Payment method type is required')).toBeVisible()
  await expect(dialog(page).getByText('Account information is required')).toBeVisible()
  await expect(dialog(page).getByText('Account name is required')).toBeVisible()

  await dialog(page).getByLabel('Payment method').selectOption('Bank Transfer')
  await dialog(page).getByLabel('Account name').fill('Sally Seller')
  await expect(dialog(page).getByLabel('Routing number')).toHaveAttribute('placeholder', /9 digits/)
  await dialog(page).getByLabel('Routing number').fill('123456789')
  await expect(dialog(page).getByText('does not look like a routing number')).toBeVisible()
  await add.click()
  await expect(
    dialog(page).getByText('Routing number and account number are required for bank transfers'),
  ).toBeVisible()
  await dialog(page).getByLabel('Account number').fill('123')
  await add.click()
  await expect(dialog(page).getByText('Please enter an account number of 4 to 17 digits')).toBeVisible()
  await dialog(page).getByLabel('Account number').fill('000123456789')
  await expect(dialog(page).getByText('Please compare: 0001 2345 6789')).toBeVisible()
  await page.route('**/api/payment-methods', (route) => route.fulfill({ status: 502, body: 'oops' }))
  await add.click()
  await expect(dialog(page).getByLabel('Routing number')).toBeFocused()
  await expect(dialog(page).getByText('This routing number cannot be right')).toBeVisible()
  await add.click()
  await expectToast(page, 'Failed to Add Payment Method', 'Failed to add payment method')
  await page.unroute('**/api/payment-methods')
  await add.click()
  await expectToast(page, 'Payment Method Added')
  await expect(methods.getByText('Routing: •••• 6789, Account: •••• 6789')).toBeVisible()
  await expect(page.getByText('000123456789')).toHaveCount(0)

  await methods.getByRole('button', { name: /^Delete Bank Transfer/ }).click()
  await page.route('**/api/payment-methods/*', (route) => route.fulfill({ status: 502, body: 'oops' }))
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Delete Failed', 'Failed to delete payment method')
  await page.unroute('**/api/payment-methods/*')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Payment Method Deleted', 'The payment method has been removed.')
  await expect(methods.getByText('No payment methods yet.')).toBeVisible()
  forgive(complaints, /502/)
})

test("toasts show the server's messages about payment methods", async ({ page }) => {
  await signedUp(page)
  const method = { type: 'venmo', accountName: 'Sally Seller', accountInfo: '@sally' }
  const saved = await (await page.request.post('/api/payment-methods', { data: method })).json()
  await openProfile(page)
  await part(page, 'Payment Methods')
    .getByRole('button', { name: /^Delete Venmo/ })
    .click()
  // Deleted from another page.
  await page.request.delete(`/api/payment-methods/${saved.id}`)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Delete Failed', 'Not found')
  await page.keyboard.press('Escape')
  await expect(part(page, 'Payment Methods').getByText('No payment methods yet.')).toBeVisible()

  await part(page, 'Payment Methods').getByRole('button', { name: 'Add Payment Method' }).click()
  await dialog(page).getByLabel('Payment method').selectOption('Cash App')
  await dialog(page).getByLabel('Account name').fill('Sally Seller')
  await dialog(page).getByLabel('Account information').fill('$sally')
  await Promise.all(
    Array.from({ length: 20 }, () => page.request.post('/api/payment-methods', { data: method })),
  )
  await dialog(page).getByRole('button', { name: 'Add Payment Method' }).click()
  await expectToast(page, 'Failed to Add Payment Method', 'You can save at most 20 payment methods')
})

test('reading the terms does not empty the registration form', async ({ page }) => {
  await page.goto('/register')
  await appSettled(page)
  await page.getByLabel('Email').fill('sally@example.com')
  await page.getByRole('main').getByRole('link', { name: 'Terms of Service' }).click()
  await expect(page).toHaveURL(/\/terms$/)
  await page.goBack()
  await expect(page.getByLabel('Email')).toHaveValue('sally@example.com')
})

test('changing the password needs the current one and signs out other browsers', async ({
  page,
  browser,
  site,
}) => {
  const seller = await signedUp(page)
  const elsewhere = await browser.newContext({ baseURL: site })
  const otherPage = await elsewhere.newPage()
  await otherPage.request.post('/api/auth/login', { data: seller })
  await otherPage.goto('/transactions')
  await expect(otherPage.getByText('No transactions yet')).toBeVisible()

  await page.goto('/account/security')
  const sessions = part(page, 'Sessions')
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByText('This browser')).toBeVisible()
  const form = part(page, 'Password')
  const change = form.getByRole('button', { name: 'Change Password' })
  await form.getByLabel('Current password').fill('not this one')
  await form.getByLabel('New password', { exact: true }).fill('short')
  await change.click()
  await expect(form.getByText('Password must be at least 8 characters')).toBeVisible()
  await form.getByLabel('New password', { exact: true }).fill('a much better password')
  await change.click()
  await expect(form.getByText('The two passwords do not match')).toBeVisible()
  await form.getByLabel('Repeat new password').fill('a much better password')
  await change.click()
  await expectToast(page, 'Update Failed')
  await expect(form.getByText('Current password is incorrect')).toBeVisible()
  await form.getByLabel('Current password').fill(seller.password)
  await change.click()
  await expectToast(page, 'Password Changed')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  // The other browser notices without a reload.
  await expect(otherPage).toHaveURL(/\/login$/)
  await elsewhere.close()
})

test('other sessions can be signed out', async ({ page, browser, site }) => {
  const seller = await signedUp(page)
  const elsewhere = await browser.newContext({ baseURL: site })
  await elsewhere.request.post('/api/auth/login', { data: seller })
  await page.goto('/account/security')
  await part(page, 'Sessions').getByRole('button', { name: 'Sign Out Everywhere Else' }).click()
  await expectToast(page, 'Signed Out')
  await expect(part(page, 'Sessions').getByRole('listitem')).toHaveCount(1)
  expect((await elsewhere.request.get('/api/auth/me')).status()).toBe(401)
  await elsewhere.close()
})
