import type { Route } from '@playwright/test'
import { letItShow, stopTheClock } from './clock.ts'
import { expect, seemSignedIn, test } from './fixtures.ts'
import {
  asStaff,
  expectToast,
  forgive,
  move,
  pressAnyway,
  signedUp,
  submitCard,
  watchChannel,
} from './sellers.ts'
import { amazon, files, fillIn, picker, submit, toForm, visa } from './selling.ts'

test('shows that the session is loading, then that it redirects', async ({ page, site }) => {
  await seemSignedIn(page, site)
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/auth/me', async (route) => {
    await held
    await route.continue()
  })
  let arrive = () => {}
  const login = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(/\/assets\/Login-/, async (route) => {
    await login
    await route.continue()
  })
  await page.goto(amazon)
  await expect(page.getByText('Loading your session...')).toBeVisible()
  answer()
  await expect(page.getByText('Redirecting to login...')).toBeVisible()
  arrive()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('a failed session check neither signs the seller out nor loses typed text', async ({
  page,
  complaints,
}) => {
  await signedUp(page)
  const sockets: { close: (options: { code: number }) => Promise<void> }[] = []
  await page.routeWebSocket(/\/ws$/, (socket) => {
    socket.connectToServer()
    sockets.push(socket)
  })
  await toForm(page, amazon)
  await fillIn(page)
  const asked = { down: 0 }
  const fail = (route: Route) => {
    asked.down += 1
    return route.fulfill({ status: 503, body: 'down' })
  }
  await page.route('**/api/auth/me', fail)
  // When the channel closes, the page checks its session, and again after a failure.
  await expect.poll(() => sockets.length).toBeGreaterThan(0)
  for (const socket of sockets) await socket.close({ code: 1012 })
  await expect.poll(() => asked.down).toBeGreaterThan(1)
  await expect(page.getByLabel('Card number')).toHaveValue('6006 4930 1234 5678')
  await expect(page.getByLabel('Account holder name')).toHaveValue('Sally Seller')

  await page.clock.install()
  await page.goto('/transactions')
  await expect(page.getByText("We can't reach the server")).toBeVisible()
  await expect(page).toHaveURL(/\/transactions$/)
  // The clock is stopped, so only the restored connection makes the page ask again.
  await stopTheClock(page)
  await page.unroute('**/api/auth/me')
  await page.evaluate(() => {
    dispatchEvent(new Event('offline'))
    dispatchEvent(new Event('online'))
  })
  await letItShow(page, 'Transaction History')
  forgive(complaints, /503|WebSocket/)
})

test('the first step has the quote, its limits, Back and Continue', async ({ page }) => {
  await signedUp(page)
  await page.goto('/sell-card?brand=corner_shop&value=40&quote=99')
  await expect(page.getByRole('heading', { level: 1, name: 'Sell your Corner Shop card' })).toBeVisible()
  const step = page.getByRole('region', { name: 'Your quote' })
  await expect(step.getByText('Pays 85% · $10 to $500')).toBeVisible()
  await expect(step.getByText('$34.00')).toBeVisible()
  const next = step.getByRole('button', { name: 'Continue to Submission' })
  for (const [value, reason] of [
    ['9.99', 'Minimum amount for Corner Shop is $10'],
    ['500.01', 'Maximum amount for Corner Shop is $500'],
    ['-20', 'Minimum amount for Corner Shop is $10'],
    ['', 'Please enter a valid amount For example 1,234.50. From $10 to $500.'],
  ] as const) {
    await step.getByLabel('Card value').fill(value)
    await expect(step.getByLabel('Card value')).toHaveAccessibleDescription(reason)
    await expect(next).toBeDisabled()
  }
  await step.getByLabel('Card value').fill('25.25')
  await expect(step.getByText('$21.46')).toBeVisible()
  await expect(next).toBeEnabled()
  await expect(step.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/get-quote')
  await page.goto('/sell-card')
  await expect(page.getByText('Please select a valid brand')).toBeVisible()
  await page.goto('/sell-card?brand=No%20Such&value=5')
  await expect(page.getByText('Invalid brand selected')).toBeVisible()
})

test('the form has the fields of the spec', async ({ page }) => {
  await signedUp(page)
  await toForm(page, amazon)
  const main = page.getByRole('main')
  for (const choice of ['Physical', 'Digital', 'Brand New', 'Partially Used']) {
    await expect(main.getByRole('radio', { name: choice })).toBeVisible()
  }
  for (const name of ['Card number', 'PIN or redemption code', 'Expiration date (MM/YY)', 'Notes']) {
    await expect(main.getByRole('textbox', { name })).toBeVisible()
  }
  await expect(main.getByLabel('Expiration date')).toHaveAttribute('placeholder', 'MM/YY')
  await expect(picker(page)).toHaveAccessibleDescription('PNG, JPG up to 10MB each')
  await expect(picker(page)).toHaveAttribute('multiple')
  await expect(main.getByLabel('Payment method').locator('option')).toHaveText([
    'Choose how to be paid',
    ...['PayPal', 'Venmo', 'Zelle', 'Chime', 'Google Pay', 'Apple Pay', 'Cash App', 'Bank Transfer'],
  ])
  await expect(submit(page)).toHaveText('Upload Images Required')
  await expect(submit(page)).toHaveAccessibleDescription(
    'Still to complete or correct: Card number, Card photos, Payment method, Account information',
  )
  await expect(main.getByRole('link', { name: 'Cancel' })).toHaveAttribute('href', '/get-quote')
  await main.getByRole('button', { name: 'Back to Quote' }).click()
  await expect(main.getByRole('button', { name: 'Continue to Submission' })).toBeVisible()
})

test('each field shows the error of the schema', async ({ page }) => {
  await signedUp(page)
  await toForm(page, visa)
  await page.getByLabel('Account holder name').clear()
  await pressAnyway(submit(page))
  const said = async (label: string, text: string) =>
    expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(new RegExp(text))
  await said('Card number', 'Card number is required')
  await said('Expiration date (MM/YY)', 'Please enter the expiration date as MM/YY')
  await said('Payment method', 'Payment type is required')
  await said('Account holder name', 'Account name is required')
  await said('Account information', 'Account info is required')
  await expect(picker(page)).toHaveAccessibleDescription(/at least one clear photo of your gift card/)
  // The toast is about them.
  await expect(picker(page)).toBeFocused()
  await page.getByLabel('Payment method').selectOption('Bank Transfer')
  for (const label of ['Routing number', 'Account number'])
    await expect(page.getByLabel(label)).not.toHaveAttribute('aria-invalid', 'true')
  await pressAnyway(submit(page))
  await said('Routing number', 'Please enter a routing number of 9 digits')
  await said('Account number', 'Please enter an account number of 4 to 17 digits')
  await page.getByLabel('Routing number').fill('02100002')
  await said('Routing number', 'Please enter a routing number of 9 digits')
  await page.getByLabel('Routing number').fill('021000021')
  await said('Routing number', 'Please compare: 021 000 021')
  await page.getByLabel('Account number').fill('000123456789')
  await said('Account number', 'Please compare: 0001 2345 6789')
  await page.getByLabel('Payment method').selectOption('Cash App')
  const cashApp = 'Account information: Cash App $cashtag, email or phone'
  await page.getByLabel(cashApp).fill('sally')
  await page.getByLabel(cashApp).blur()
  await said(cashApp, 'Please enter a \\$cashtag, an email address or a US phone number')
  await page.getByLabel(cashApp).fill('$sally')
  await expect(page.getByLabel(cashApp)).toHaveAccessibleDescription('')
  await page.getByLabel('Card number').fill('ab')
  await said('Card number', 'Please enter the whole card number, or N/A if the card has none')
  await page.getByLabel('Expiration date').fill('13/30')
  await said('Expiration date (MM/YY)', 'The month is 01 to 12')
})

test("a refusal shows the server's message, also at the field", async ({ page, complaints }) => {
  await signedUp(page)
  await toForm(page, amazon)
  await fillIn(page)
  await page.getByLabel('Notes').fill('a'.repeat(1001))
  await picker(page).setInputFiles(await files(1))
  await submit(page).click()
  await expectToast(page, 'Submission Failed', 'At most 1000 characters')
  await expect(page.getByLabel('Notes')).toHaveAccessibleDescription(/At most 1000 characters/)
  await expect(page.getByLabel('Notes')).toBeFocused()
  // The field says what to do.
  await expect(page.getByText('your card is never submitted twice')).toHaveCount(0)
  forgive(complaints, /400/)
})

test('a changed quote is shown before it is accepted', async ({ page, staffPage }) => {
  await signedUp(page)
  await asStaff(staffPage)
  const brand = `shop_${Date.now()}`
  const terms = { value: brand, name: 'Shop', category: 'Retail', minAmount: '25', maxAmount: '200' }
  await staffPage.request.post('/api/admin/brands', { data: { ...terms, rate: '85' } })
  await toForm(page, `/sell-card?brand=${brand}&value=100`)
  await fillIn(page)
  await picker(page).setInputFiles(await files(1))
  const change = await staffPage.request.patch(`/api/admin/brands/${brand}`, { data: { rate: '81.50' } })
  expect(change.status(), await change.text()).toBe(200)
  // A quote is honored for 15 minutes after a rate change, so the refusal is simulated.
  const message = 'The quote for this card is now $81.50'
  const refusal = { status: 409, json: { message, code: 'quote_changed' } }
  await page.route('**/api/gift-cards', (route) => route.fulfill(refusal), { times: 1 })
  await submit(page).click()
  await expectToast(page, 'Submission Failed', message)
  await expect(page.getByText('Our rate for Shop changed from 85% to 81.50%')).toBeVisible()
  await expect(page.getByText('You now get $81.50 instead of $85.00.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Your quote' }).getByText('$81.50')).toBeVisible()
  await submit(page).click()
  await expectToast(page, 'Quote Changed', 'Please accept the new quote first.')
  await expect(page.getByRole('button', { name: 'Accept $81.50' })).toBeFocused()
  await page.keyboard.press('Enter')
  await submit(page).click()
  await expectToast(
    page,
    'Gift Card Submitted!',
    'Your card was submitted for review. You will be notified once it has been processed.',
  )
  await expect(page).toHaveURL(/\/confirmation/)
  await expect(page.getByText('Pending Review')).toBeVisible()
  await expect(page.getByRole('main').getByText('$81.50')).toBeVisible()
})

test('a rate change is announced on each screen', async ({ page, staffPage }) => {
  await page.clock.install()
  await signedUp(page)
  await asStaff(staffPage)
  const setRate = async (rate: string) => {
    const change = await staffPage.request.patch('/api/admin/brands/hulu', { data: { rate } })
    expect(change.status()).toBe(200)
    // The page fetches rates every ten minutes.
    const fetched = page.waitForResponse('**/api/brands')
    await page.clock.fastForward('10:01')
    await fetched
  }
  const announced = (from: string, to: string) =>
    expect(page.getByRole('alert').getByText(`Our rate for Hulu changed from ${from} to ${to}`)).toBeVisible()

  await page.goto('/get-quote?brand=hulu')
  await page.getByLabel('Card value').fill('100')
  await expect(page.getByText('$85.00')).toBeVisible()
  await setRate('84')
  await announced('85%', '84%')
  await page.getByRole('button', { name: 'Sell This Card' }).click()
  await expect(page.getByRole('button', { name: 'Continue to Submission' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await setRate('83')
  await announced('84%', '83%')
  await page.getByRole('button', { name: 'Continue to Submission' }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await setRate('86')
  await announced('83%', '86%')
  await expectToast(page, 'Our rate for Hulu changed from 83% to 86%')
  await page.reload()
  await announced('83%', '86%')
  await page.getByRole('button', { name: 'Accept $86.00' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel('Card number')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

/** A submission's label and text, and its transaction's label and color. */
const STATUSES = [
  ['pending', [], 'Pending Review', 'Your card is being reviewed', 'Pending Review', 'info'],
  [
    'asked',
    ['under_review'],
    'Waiting for You',
    'Additional verification required',
    'Waiting for You',
    'caution',
  ],
  ['approved', ['processing'], 'Approved', 'your payment is being processed', 'Approved', 'on-gold'],
  ['paid', ['completed'], 'Completed', 'By PayPal on', 'Completed', 'positive'],
  ['refused', ['rejected'], 'Rejected', 'Rejected, please contact support', 'Rejected', 'negative'],
  ['failed', ['processing', 'failed'], 'Failed', 'please contact support', 'Failed', 'negative'],
  ['withdrawn', ['withdraw'], 'Cancelled', 'Withdrawn by you', 'Cancelled', 'negative'],
] as const

test('each status has its label, text, color and icon', async ({ page, staffPage, database }) => {
  const { id: sellerId } = await signedUp(page)
  await database.query('update users set verified = true where id = $1', [sellerId])
  await asStaff(staffPage)
  for (const [, moves] of STATUSES) {
    const id = await submitCard(page)
    for (const to of moves) {
      if (to === 'withdraw') await page.request.post(`/api/user/gift-cards/${id}/withdraw`)
      else await move(staffPage, id, to, to === 'failed' ? 'usage_redeemed' : 'As discussed')
    }
  }
  await page.goto('/processing')
  const rows = page.getByRole('region', { name: 'All Submissions' }).getByRole('listitem')
  await expect(rows).toHaveCount(STATUSES.length)
  const underWay = page.getByRole('region', { name: 'Amazon card' })
  await expect(underWay).toHaveCount(3)
  for (const [index, [, , word, text]] of [...STATUSES].reverse().entries()) {
    await expect(rows.nth(index)).toContainText(word)
    // A card under way says more above the list.
    if (index < 4) await expect(rows.nth(index)).toContainText(text)
    else await expect(underWay.filter({ hasText: text })).toHaveCount(1)
  }
  // A card that waits for the seller comes before a newer one.
  await expect(underWay.first()).toContainText('Additional verification required')
  await expect(rows.filter({ hasText: 'As discussed' })).toHaveCount(1)
  await expect(underWay.filter({ hasText: 'As discussed' })).toHaveCount(1)

  await page.goto('/transactions')
  const table = page.getByRole('table').getByRole('row')
  await expect(table).toHaveCount(STATUSES.length + 1)
  for (const [index, [, , , text, word, tone]] of [...STATUSES].reverse().entries()) {
    await expect(table.nth(index + 1)).toContainText(text)
    const badge = table.nth(index + 1).getByText(word, { exact: true })
    await expect(badge).toHaveClass(new RegExp(`text-${tone}`))
    await expect(badge.locator('svg')).toHaveCount(1)
  }
  // Rejected, failed, withdrawn.
  await expect(table.filter({ hasText: 'Not paid' })).toHaveCount(3)
})

test('an unexpected status is shown as unknown in gray', async ({ page }) => {
  await signedUp(page)
  await submitCard(page)
  await page.route('**/api/{my-transactions,user/gift-cards}*', async (route) => {
    const answer = await route.fetch()
    const [first] = await answer.json()
    await route.fulfill({ response: answer, json: [{ ...first, status: 'escalated' }] })
  })
  await page.goto('/processing')
  await expect(page.getByRole('region', { name: 'Amazon card' })).toContainText('Status unknown')
  await expect(page.getByRole('region', { name: 'All Submissions' })).toContainText('Unknown')
  await page.goto('/transactions')
  await expect(page.getByRole('table').getByText('Unknown', { exact: true })).toHaveClass(/text-neutral/)
})

test('submissions and status changes appear without a reload', async ({ page, staffPage }) => {
  await signedUp(page)
  await asStaff(staffPage)
  const channel = await watchChannel(page)
  await page.goto('/transactions')
  await expect(page.getByText('No transactions yet')).toBeVisible()
  // The list is refreshed when the live channel opens. After that, only pushes change it.
  await channel.open
  const id = await submitCard(page)
  const row = page.getByRole('row', { name: /Amazon/ })
  await expect(row).toContainText('Pending')
  await move(staffPage, id, 'processing')
  await expect(row).toContainText('Approved')
  await move(staffPage, id, 'failed', 'The account is closed')
  await expect(row).toContainText('Failed')
  await expect(row).toContainText('The account is closed')
})
