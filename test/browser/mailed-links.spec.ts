import { appSettled, expect, test } from './fixtures.ts'
import { asStaff, expectToast, forgive, mailedLink, move, signedUp, submitCard } from './sellers.ts'

test('an emailed link resets a forgotten password once', async ({ page, dataDir }) => {
  const seller = await signedUp(page)
  await page.request.post('/api/auth/logout')
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  const send = page.getByRole('button', { name: /^Send/ })
  await send.click()
  await expect(page.getByText('Please enter a valid email')).toBeVisible()
  await page.getByLabel('Email').fill('nobody.at.all@example.com')
  await send.click()
  const answer = page.getByText('If there is an account with this email, a link is on its way')
  await expect(answer).toBeVisible()
  await page.getByLabel('Email').fill(seller.email)
  await send.click()
  await expect(answer).toBeVisible()

  const link = await mailedLink(dataDir, seller.email, '/reset-password')
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('password')
  await page.getByLabel('Repeat new password').fill('password')
  await page.getByRole('button', { name: 'Set New Password' }).click()
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await page.getByLabel('New password', { exact: true }).fill('remembered this time')
  await page.getByLabel('Repeat new password').fill('remembered this time')
  await page.getByRole('button', { name: 'Set New Password' }).click()
  await expectToast(page, 'Password Changed')
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(seller.email)
  await page.getByLabel('Password').fill('remembered this time')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectToast(page, 'Welcome back!')

  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('and once more please')
  await page.getByLabel('Repeat new password').fill('and once more please')
  await page.getByRole('button', { name: 'Set New Password' }).click()
  await expect(page.getByText('This link has already been used or has expired.')).toBeVisible()
  await page.getByRole('link', { name: 'Get a New Link' }).click()
  await expect(page).toHaveURL(/\/forgot-password$/)
})

test('the old address can undo a change of email', async ({ page, dataDir }) => {
  const seller = await signedUp(page)
  const { firstName, lastName, email } = seller
  await page.request.put('/api/user/profile', { data: { firstName, lastName, email: `thief.${email}` } })
  const link = await mailedLink(dataDir, email, '/restore-email')
  // The owner is signed out; the session is the thief's.
  const session = await page.context().cookies()
  await page.context().clearCookies()
  await page.goto(link)
  await page.getByRole('button', { name: 'Restore Email' }).click()
  await expect(page.getByText('Your email address has been restored.')).toBeVisible()
  await page.context().addCookies(session)
  expect((await page.request.get('/api/auth/me')).status()).toBe(401)
  await page.goto(link)
  await page.getByRole('button', { name: 'Restore Email' }).click()
  await expect(page.getByText('This link has already been used or has expired.')).toBeVisible()
  await page.goto('/restore-email')
  await expect(page.getByText('The link is incomplete.')).toBeVisible()
})

test('an emailed link confirms a new address for its own account, and the profile resends it', async ({
  page,
  staffPage,
  dataDir,
}) => {
  // A silent channel and an unread count from here, so that the page does not notice when its session ends.
  await page.routeWebSocket(/\/ws/, () => {})
  await page.route('**/api/chat/unread', (route) => route.fulfill({ json: { unreadCount: 0 } }))
  const seller = await signedUp(page)
  const id = await submitCard(page)
  await page.goto(`/confirmation?giftCardId=${id}`)
  await expect(page.getByText('once your email is confirmed and your card is approved.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Amazon' })).toHaveAttribute('href', `/account/card?id=${id}`)
  for (const path of [`/confirmation?giftCardId=${id}`, `/account/card?id=${id}`, '/account', '/profile']) {
    await page.goto(path)
    await expect(page.getByText('Confirm your email to be paid')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Request Another Link' })).toBeVisible()
    await expect(page.getByText('We have everything we need')).toHaveCount(0)
    const change = page.getByRole('link', { name: 'Wrong address? Change it' })
    await expect(change).toHaveCount(path === '/profile' ? 0 : 1)
    if (path !== '/profile') await expect(change).toHaveAttribute('href', '/profile')
  }
  const first = await mailedLink(dataDir, seller.email, '/confirm-email')
  await page.getByRole('button', { name: 'Request Another Link' }).click()
  await expectToast(page, 'Link Sent')
  await expect.poll(() => mailedLink(dataDir, seller.email, '/confirm-email')).not.toBe(first)
  const link = await mailedLink(dataDir, seller.email, '/confirm-email')
  const confirm = page.getByRole('button', { name: 'Confirm Email' })
  const signInToConfirm = page.getByRole('link', { name: 'Sign In to Confirm' })
  await page.request.post('/api/auth/logout')
  const other = await signedUp(page)
  await page.goto(link)
  await expect(page.getByText(`You are signed in as ${other.email}.`)).toBeVisible()
  await confirm.click()
  await expect(page.getByText('This link is for another account.')).toBeVisible()
  // The session ends while the page is open. An answer to an earlier request would tell the page.
  await appSettled(page)
  await page.request.post('/api/auth/logout')
  await confirm.click()
  await expect(signInToConfirm).toBeVisible()
  await signInToConfirm.click()
  await page.getByLabel('Email').fill(seller.email)
  await page.getByLabel('Password').fill(seller.password)
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
  await asStaff(staffPage)
  await move(staffPage, id, 'processing')
  await confirm.click()
  await expect(page.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible()
  await expect(page.getByRole('status')).toHaveText('Your email address is confirmed.')
  await expect(page.getByText('Your $93.00 payout can go out now.')).toBeVisible()
  await expect(page.getByText('Can’t sign in?')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'See My Cards' })).toHaveAttribute('href', '/account')
  await page.goto('/profile')
  await expect(page.getByLabel('Email')).toHaveValue(seller.email)
  await expect(page.getByText('Confirm your email to be paid')).toBeHidden()
  await page.goto(`/confirmation?giftCardId=${id}`)
  await expect(page.getByRole('heading', { name: 'Approved, your payment is being processed' })).toBeVisible()
  await expect(page.getByText('Confirm your email to be paid')).toHaveCount(0)
  await page.goto(link)
  await confirm.click()
  await expect(page.getByRole('heading', { name: 'Your email is already confirmed.' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'See My Cards' })).toBeVisible()
  await page.request.post('/api/auth/logout')
  await signedUp(page)
  await page.goto(first)
  await confirm.click()
  await expect(page.getByText('This link has already been used or has expired.')).toBeVisible()
  await page.goto('/confirm-email')
  await expect(page.getByText('The link is incomplete.')).toBeVisible()
})

test('an emailed link stops mails of its kind when its button is pressed', async ({
  page,
  staffPage,
  dataDir,
  complaints,
}) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  await move(staffPage, await submitCard(page), 'under_review', 'Which shop is it from?')
  const link = await mailedLink(dataDir, seller.email, '/unsubscribe')
  const stop = page.getByRole('main').getByRole('button', { name: 'Stop These Emails' })
  const mailed = async () => (await (await page.request.get('/api/user/notifications')).json()).question.mail
  await page.goto(link)
  await expect(page.getByText('when we have a question about a card')).toBeVisible()
  expect(await mailed()).toBe(true)
  await stop.click()
  await expect(page.getByText('Emails about questions are off.')).toBeVisible()
  expect(await mailed()).toBe(false)
  await page.goto(link.slice(0, -1))
  await stop.click()
  await expect(page.getByRole('alert')).toContainText('This link is incomplete.')
  forgive(complaints, /400/)
  await page.goto('/unsubscribe')
  await expect(page.getByRole('alert')).toContainText('The link is incomplete.')
})

test('an incomplete link says so and offers a new one', async ({ page }) => {
  await page.goto('/reset-password')
  await expect(page.getByRole('alert')).toContainText('The link is incomplete.')
  await page.getByRole('link', { name: 'Get a New Link' }).click()
  await expect(page).toHaveURL(/\/forgot-password$/)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

for (const path of [
  '/reset-password?token=x',
  '/restore-email?token=x',
  '/confirm-email?token=x',
  '/unsubscribe?token=x',
]) {
  test(`${path} is not indexed, sends no referrer, and has one title`, async ({ page }) => {
    const answer = await page.goto(path)
    expect(answer?.headers()['x-robots-tag']).toBe('noindex')
    expect(answer?.headers()['referrer-policy']).toBe('no-referrer')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const heading = await page.getByRole('heading', { level: 1 }).textContent()
    await expect(page).toHaveTitle(`${heading} · Unspent`)
  })
}

test('a failed request for a link keeps the email', async ({ page, complaints }) => {
  await page.route('**/api/auth/forgot-password', (route) => route.fulfill({ status: 502, body: 'oops' }))
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill('sally@example.com')
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expectToast(page, 'Error', 'The link could not be sent. Please try again.')
  await expect(page.getByLabel('Email')).toHaveValue('sally@example.com')
  forgive(complaints, /502/)
})
