import type { Page } from '@playwright/test'
import { withoutRandom } from '../without-random.ts'
import { expect, test } from './fixtures.ts'
import {
  asStaff,
  expectToast,
  forgive,
  move,
  pressAnyway,
  signedUp,
  submitCard,
  TRACE_OF_PICTURES,
} from './sellers.ts'
import { amazon, files, fillIn, picker, small, submit, toForm, visa } from './selling.ts'

test('visitors sign in first and return to their quote', async ({ page }) => {
  const seller = await signedUp(page)
  await page.request.post('/api/auth/logout')
  await page.goto(amazon)
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('Your quote is kept')).toBeVisible()
  await page.getByLabel('Email').fill(seller.email)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectToast(page, 'Login failed', 'Invalid credentials')
  await page.getByLabel('Password').fill(seller.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectToast(page, 'Welcome back!', 'You have been logged in successfully.')
  await expect(page).toHaveURL(/\/sell-card\?brand=amazon&value=100/)
})

test('the limits and quote do not trust the address', async ({ page }) => {
  await signedUp(page)
  await page.goto('/sell-card?brand=amazon&value=5&quote=5000')
  await expect(page.getByText('Minimum amount for Amazon is $25')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue to Submission' })).toBeDisabled()
  await page.getByLabel('Card value').fill('2001')
  await expect(page.getByText('Maximum amount for Amazon is $2000')).toBeVisible()
  await page.getByLabel('Card value').fill('100')
  await expect(page.getByText('$93.00').first()).toBeVisible()
  await page.goto('/sell-card?brand=amazon&value=5&quote=5000&step=2')
  await expect(page.getByRole('button', { name: 'Continue to Submission' })).toBeDisabled()
})

test('each missing field has a toast, in the order of the spec, and a message at the field', async ({
  page,
}) => {
  await signedUp(page)
  await toForm(page, visa)
  const next = async (title: string, description?: string) => {
    await pressAnyway(submit(page))
    await expectToast(page, title, description)
  }
  await expect(submit(page)).toHaveText('Upload Front & Back Images Required')
  await next('Images Required', 'Please upload at least one clear photo of your gift card for verification.')
  await picker(page).setInputFiles(await files(1))
  // Before it is there, no photo is what is missing.
  await expect(page.getByRole('button', { name: 'Remove Front' })).toBeVisible()
  await next('Two Images Required')
  await page.getByLabel('Digital').check()
  await expect(submit(page)).toHaveText('Submit for Review')
  await page.getByLabel('Physical').check()
  await picker(page).setInputFiles(await files(1))
  await expect(submit(page)).toHaveText('Submit for Review')
  await next('Payment Method Required')
  await expect(page.getByLabel('Payment method')).toBeFocused()
  await page.getByLabel('Payment method').selectOption('Bank Transfer')
  // The name of the account is filled in.
  await expect(page.getByLabel('Account holder name')).toHaveValue('Sally Seller')
  await page.getByLabel('Account holder name').clear()
  await next('Account Name Required')
  await page.getByLabel('Account holder name').fill('Sally Seller')
  await next('Bank Details Required')
  await page.getByLabel('Routing number').fill('123456789')
  await expect(page.getByText('does not look like a routing number')).toBeVisible()
  await next('Bank Details Required')
  await page.getByLabel('Payment method').selectOption('PayPal')
  await next('Account Information Required')
  await page.getByLabel('Account information').fill('sally@example.com')
  await next('Card Number Required')
  await expect(page.getByLabel('Card number')).toBeFocused()
  await page.getByLabel('Card number').fill('4000 1234 5678 9010')
  await next('Expiration Date Required')
  await page.getByLabel('Expiration date').pressSequentially('1230')
  await expect(page.getByLabel('Expiration date')).toHaveValue('12/30')
  await page.getByLabel('Partially Used').check()
  await next('Balance Required')
  const balance = page.getByLabel('Balance left on the card')
  await expect(balance).toBeFocused()
  await balance.fill('9')
  await next('Balance Invalid', 'Minimum amount for Visa Gift Card is $100')
  await balance.fill('150')
  const quote = page.getByRole('region', { name: 'Your quote' })
  await expect(quote.getByText('$136.50')).toBeVisible()
  await expect(page).toHaveURL(/value=200&quote=182\.00&step=2$/)
  await expect(page.getByText(/Still to complete/)).toHaveCount(0)
  await submit(page).click()
  await expectToast(page, 'Gift Card Submitted!')
  await expect(page).toHaveURL(/\/confirmation\?transactionId=.+&giftCardId=.+/)
})

test('a wrong text is reported when its field is left, and a missing one when the form is sent', async ({
  page,
}) => {
  await signedUp(page)
  await toForm(page, amazon)
  await page.getByLabel('Payment method').selectOption('Zelle')
  const wrong = page.getByText('Please enter an email address or a US phone number')
  const account = page.getByLabel('Zelle email or phone')
  await account.fill('not-an-email')
  await expect(wrong).toHaveCount(0)
  await account.blur()
  await expect(wrong).toBeVisible()
  await expect(page.getByText('Card number is required')).toHaveCount(0)
  await account.fill('sally@example.com')
  await expect(wrong).toHaveCount(0)

  const number = page.getByLabel('Card number')
  const short = page.getByText('That is short for a card number. Please compare it with the card.')
  await number.fill('1234')
  await expect(short).toHaveCount(0)
  await number.blur()
  await expect(short).toBeVisible()
  await expect(number).not.toHaveAttribute('aria-invalid', 'true')
  await number.fill('123')
  await number.blur()
  await expect(number).toHaveAccessibleDescription(
    'Please enter the whole card number, or N/A if the card has none',
  )
  for (const other of ['6006 4930 1234 5678', 'N/A']) {
    await number.fill(other)
    await number.blur()
    await expect(short).toHaveCount(0)
  }
})

test('a draft can be discarded from the device', async ({ page }) => {
  await signedUp(page)
  await toForm(page, amazon)
  await fillIn(page)
  await page.getByLabel('Partially Used').check()
  await page.getByLabel('Balance left on the card').fill('60')
  await picker(page).setInputFiles(await files(1))
  await expect.poll(async () => (await shelf(page)).length).toBe(2)
  await page.reload()
  await page.getByRole('button', { name: 'Discard Draft' }).click()
  const expectEmpty = async () => {
    await expect(page.getByLabel('Card number')).toHaveValue('')
    await expect(page.getByLabel('Brand New')).toBeChecked()
    await expect(page.getByRole('img', { name: 'Photo 1' })).toHaveCount(0)
    await expect(page.getByText('your draft is still here')).toHaveCount(0)
  }
  await expectEmpty()
  await expect.poll(async () => (await shelf(page)).length).toBe(0)
  await page.reload()
  await expectEmpty()
})

test('the balance of a used card is its price, and a new card keeps the one that was quoted', async ({
  page,
}) => {
  await signedUp(page)
  await toForm(page, amazon)
  const quote = page.getByRole('region', { name: 'Your quote' })
  const balance = page.getByLabel('Balance left on the card')
  await expect(quote).toContainText('$93.00')
  await page.getByLabel('Partially Used').check()
  await expect(quote).toContainText('–')
  for (const [typed, shown, error] of [
    ['60', '$55.80', undefined],
    ['10', '–', 'Minimum amount for Amazon is $25'],
    ['100', '$93.00', undefined],
    [
      '250',
      '–',
      'That is more than the value you entered. Is the card worth $250? Then go back to the quote and correct it.',
    ],
    ['60', '$55.80', undefined],
  ] as const) {
    await balance.fill(typed)
    await balance.blur()
    await expect(quote).toContainText(shown)
    if (error) await expect(page.getByText(error)).toBeVisible()
  }
  await page.setViewportSize({ width: 360, height: 800 })
  await balance.fill('')
  await expect(quote).toHaveText(/You receive–$/)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByLabel('Brand New').check()
  await expect(quote).toContainText('$93.00')
  await expect(page).toHaveURL(/value=100&quote=93\.00&step=2$/)
  await page.getByRole('button', { name: 'Back to Quote' }).click()
  await expect(page.getByLabel('Card value')).toHaveValue('100')
  // The balance was entered for another value.
  await page.getByLabel('Card value').fill('200')
  await page.getByRole('button', { name: 'Continue to Submission' }).click()
  await expect(quote).toContainText('$186.00')
  await page.getByLabel('Partially Used').check()
  await expect(balance).toHaveValue('')
  await expect(quote).toContainText('–')
})

test('what was entered survives a discarded page, sealed for this session', async ({ page, complaints }) => {
  const seller = await signedUp(page)
  await toForm(page, amazon)
  const bank = { 'Routing number': '021000021', 'Account number': '000123456789' }
  const typed = { 'Card number': '6006 4930 1234 5678', 'PIN or redemption code': '9876', ...bank }
  await page.getByLabel('Payment method').selectOption('Bank Transfer')
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel('Partially Used').check()
  await page.getByLabel('Balance left on the card').fill('60')
  const image = { name: 'card.jpg', mimeType: 'image/jpeg', buffer: await small() }
  await picker(page).setInputFiles([image, { ...image, name: 'receipt.jpg' }])
  await page.getByRole('button', { name: 'Rotate Photo 1' }).click()
  const size = () =>
    page
      .getByRole('img', { name: 'Photo 1' })
      .evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => [naturalWidth, naturalHeight])
  await expect.poll(size).toEqual([200, 320])
  await expect.poll(async () => (await shelf(page)).length).toBe(2)
  const restored = page.getByText('your draft is still here')
  const expectRestored = async () => {
    await expect(restored).toBeVisible()
    for (const [label, text] of Object.entries(typed))
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(text)
    await expect(page.getByLabel('Balance left on the card')).toHaveValue('60')
    await expect.poll(size).toEqual([200, 320])
    await expect(page.getByRole('img', { name: 'Photo 2' })).toBeVisible()
  }
  await page.reload()
  await expectRestored()
  const stored = [...(await shelf(page)), await page.evaluate(() => JSON.stringify({ ...sessionStorage }))]
  for (const secret of ['6006 4930', '9876', '021000021', '000123456789', 'card.jpg', 'JFIF'])
    expect(withoutRandom(stored.join('\n'))).not.toContain(secret)

  // A second tab has its own draft. Closing it does not change this one.
  const other = await page.context().newPage()
  await toForm(other, amazon)
  await expect(other.getByLabel('Card number')).toHaveValue('')
  await other.close()

  // The session ends on the server. The same person signs in again: the key is gone.
  await page.request.post('/api/auth/logout')
  await page.request.post('/api/auth/login', { data: { email: seller.email, password: seller.password } })
  await page.reload()
  await expect(page.getByLabel('Card number')).toHaveValue('')
  await expect(restored).toHaveCount(0)
  const before = await shelf(page)
  await page.getByLabel('Card number').fill('6006 4930 8765 4321')
  await expect.poll(() => shelf(page)).not.toEqual(before)
  await page.reload()
  await expect(restored).toBeVisible()

  await page.getByRole('button', { name: 'My Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL('/')
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  await expect.poll(databases).toEqual([])
  forgive(complaints, /401/)
})

test('a card can be sold where the browser keeps nothing', async ({ page }) => {
  await page.addInitScript(() => {
    const isPrivate = location.search.includes('private')
    if (isPrivate) Object.defineProperty(window, 'indexedDB', { value: undefined })
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The disk is full', 'QuotaExceededError')
    }
  })
  await signedUp(page)
  for (const address of [amazon, `${amazon}&private`]) {
    await page.goto(address)
    await page.getByRole('button', { name: 'Continue to Submission' }).click()
    await fillIn(page)
    await picker(page).setInputFiles(await files(1))
    await submit(page).click()
    await expect(page.getByText('Pending Review')).toBeVisible()
  }
})

/** What is kept in this browser, as text. */
function shelf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('shelf')
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const all = opening.result.transaction('items').objectStore('items').getAll()
    await new Promise((resolve) => all.addEventListener('success', resolve))
    opening.result.close()
    const text = (bytes: BufferSource) => new TextDecoder('latin1').decode(bytes)
    return all.result.map(
      ({ name, parts }) => name + parts.map((part: { bytes: ArrayBuffer }) => text(part.bytes)),
    )
  })
}

test('submitting deletes the draft and remembers the payout account', async ({ page }) => {
  await signedUp(page)
  await toForm(page, amazon)
  await page.getByLabel('Notes').fill('A birthday present')
  await fillIn(page)
  await picker(page).setInputFiles(await files(1))
  const remember = page.getByLabel('Remember this account')
  await expect(remember).not.toBeChecked()
  await remember.check()
  await submit(page).click()
  await expect(page.getByText('Pending Review')).toBeVisible()
  await toForm(page, amazon)
  await expect(page.getByLabel('Notes')).toHaveValue('')
  // The next sale is paid to the same account.
  await expect(page.getByLabel('Payment method').locator('option:checked')).toHaveText(
    'Saved: PayPal · sally@example.com',
  )
})

test('an account remembered in a sale leaves a default that can be paid', async ({ page }) => {
  await signedUp(page)
  const venmo = { type: 'venmo', accountName: 'Sally Seller', accountInfo: '@sally' }
  await page.request.post('/api/payment-methods', { data: venmo })
  await toForm(page, amazon)
  await fillIn(page)
  await picker(page).setInputFiles(await files(1))
  await page.getByLabel('Remember this account').check()
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/api/payment-methods') && response.request().method() === 'POST',
  )
  await submit(page).click()
  await saved
  const methods = await (await page.request.get('/api/payment-methods')).json()
  expect(methods).toMatchObject([
    { type: 'paypal', isDefault: false },
    { type: 'venmo', isDefault: true },
  ])
})

test('an expiration date in the past stops the first attempt', async ({ page }) => {
  await signedUp(page)
  await toForm(page, amazon)
  await fillIn(page)
  await picker(page).setInputFiles(await files(1))
  const date = page.getByLabel('Expiration date')
  await date.pressSequentially('0124')
  await expect(date).toHaveAccessibleDescription(/^This date has passed\./)
  await submit(page).click()
  await expect(date).toBeFocused()
  const notes = page.getByLabel('Notes')
  await notes.fill('It is 4111 1111 1111 1111')
  await expect(notes).toHaveAccessibleDescription(/^This looks like a card number or PIN/)
  await notes.fill('A present')
  await expect(notes).not.toHaveAccessibleDescription(/^This looks like/)
  await notes.fill('My PIN is 5521')
  await expect(notes).toHaveAccessibleDescription(/^This looks like a card number or PIN/)
  await notes.clear()
  await submit(page).click()
  await expectToast(page, 'Gift Card Submitted!')
})

test('a routing number that cannot be right stops the first attempt', async ({ page }) => {
  await signedUp(page)
  await toForm(page, amazon)
  await fillIn(page)
  await picker(page).setInputFiles(await files(1))
  await page.getByLabel('Payment method').selectOption('Bank Transfer')
  await page.getByLabel('Account number').fill('000123456789')
  await page.getByLabel('Remember this account').check()
  const routing = page.getByLabel('Routing number')
  const stopped = 'This routing number cannot be right: its digits do not fit together.'
  for (const number of ['123456789', '123456788']) {
    await routing.fill(number)
    await expect(page.getByText(stopped)).toHaveCount(0)
    await submit(page).click()
    await expect(routing).toBeFocused()
    await expect(routing).toHaveAccessibleDescription(new RegExp(stopped))
  }
  await submit(page).click()
  await expectToast(page, 'Gift Card Submitted!')
  await expect(page.getByText('Before we can pay you, we need another account.')).toBeVisible()
  await expect(page.getByText('We have everything we need')).toHaveCount(0)
  await toForm(page, amazon)
  await expect(page.getByText('Routing number is wrong')).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByText('Routing number is wrong')).toBeVisible()
})

test('a past date and a routing number that cannot be right are shown at once, and pass the second time', async ({
  page,
}) => {
  await signedUp(page)
  await toForm(page, amazon)
  await fillIn(page)
  await picker(page).setInputFiles(await files(1))
  const date = page.getByLabel('Expiration date')
  await date.fill('01/24')
  await page.getByLabel('Payment method').selectOption('Bank Transfer')
  await page.getByLabel('Account number').fill('000123456789')
  const routing = page.getByLabel('Routing number')
  await routing.fill('123456789')
  await expect(submit(page)).not.toHaveAccessibleDescription(/Press again/)
  await submit(page).click()
  await expect(date).toBeFocused()
  await expect(routing).toHaveAccessibleDescription(/This routing number cannot be right/)
  await expect(submit(page)).toHaveAccessibleDescription(
    'Please check the warnings above. Press again to submit it like this.',
  )
  await submit(page).click()
  await expectToast(page, 'Gift Card Submitted!')
})

test('a saved payment method can be chosen and its numbers stay masked', async ({ page }) => {
  await signedUp(page)
  const bank = { type: 'bank_transfer', accountName: 'Sally Seller', routingNumber: '021000021' }
  await page.request.post('/api/payment-methods', { data: { ...bank, accountNumber: '000123456789' } })
  await toForm(page, amazon)
  await expect(page.getByLabel('Payment method').locator('option:checked')).toHaveText(
    'Saved: •••• 6789 · Bank Transfer',
  )
  await expect(page.getByLabel('Account number')).toHaveCount(0)
  await page.getByLabel('Payment method').selectOption('PayPal')
  await expect(page.getByLabel('Account information')).toHaveValue('')
  await page.getByLabel('Payment method').selectOption({ index: 1 })
  await page.getByLabel('Card number').fill('N/A')
  await picker(page).setInputFiles(await files(1))
  await submit(page).click()
  await expect(page.getByText('Pending Review')).toBeVisible()
  await page.goto('/transactions')
  await expect(page.getByRole('table').getByText('Routing: •••• 0021, Account: •••• 6789')).toBeVisible()
})

test('a saved account that sent money back is not chosen until the seller chooses it', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  await move(staffPage, id, 'completed')
  const saved = { type: 'paypal', accountName: 'Sally Seller', accountInfo: 'sally@example.com' }
  await page.request.post('/api/payment-methods', { data: saved })
  const [payout] = await (await staffPage.request.get(`/api/admin/payouts?q=${id}`)).json()
  const data = { reason: 'It was sent back' }
  const returned = await staffPage.request.post(`/api/admin/payouts/${payout.id}/return`, { data })
  expect(returned.status(), await returned.text()).toBe(200)
  await toForm(page, amazon)
  const method = page.getByLabel('Payment method')
  const cameBack = page.getByText(/The last payout to PayPal, sally@example\.com came back on/)
  await expect(cameBack).toBeVisible()
  await expect(page.getByText('We cannot pay this account: “It was sent back.”')).toBeVisible()
  await expect(method.locator('option', { hasText: 'Saved' })).toHaveCount(0)

  const lifted = await staffPage.request.post(`/api/admin/payouts/${payout.id}/lift-account`, {
    data: { reason: 'It works again' },
  })
  expect(lifted.status(), await lifted.text()).toBe(200)
  await page.reload()
  await expect(cameBack).toBeVisible()
  await expect(method).toHaveValue('')
  await method.selectOption('Saved: PayPal · sally@example.com (the last payout came back)')
  await expect(cameBack).toBeVisible()
  await expect(page.getByText('unless you know that this one can be paid again')).toBeVisible()
  await method.selectOption('Venmo')
  await expect(cameBack).toHaveCount(0)
})

test('a refused submission keeps what was entered', async ({ page, complaints }) => {
  await signedUp(page)
  await toForm(page, amazon)
  await fillIn(page)
  const buffer = (await small()).subarray(0, 100)
  await picker(page).setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  await submit(page).click()
  await expectToast(page, 'Submission Failed')
  await expect(page.getByLabel('Card number')).toHaveValue('6006 4930 1234 5678')
  await page.getByRole('button', { name: /^Remove/ }).click()
  await picker(page).setInputFiles(await files(1))
  await page.route('**/api/gift-cards', (route) =>
    route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
  )
  await submit(page).click()
  await expectToast(
    page,
    'Submission Failed',
    'There was an error submitting your gift card. Please try again.',
  )
  await page.unroute('**/api/gift-cards')
  await submit(page).click()
  await expect(page.getByText('Pending Review')).toBeVisible()
  forgive(complaints, TRACE_OF_PICTURES)
  forgive(complaints, /502/)
})

test('the main flow works with the keyboard alone on a small screen', async ({ page }) => {
  await signedUp(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(amazon)
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null
        const label = element?.labels?.[0]?.textContent ?? element?.getAttribute('aria-label')
        return label ?? element?.textContent ?? ''
      })
      if (name.test(focused)) return
    }
    throw new Error(`Tab never reached ${name}`)
  }
  await expect(page.getByRole('button', { name: 'Continue to Submission' })).toBeEnabled()
  await tabTo(/^Continue to Submission/)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Card number')).toBeVisible()
  await tabTo(/^Physical/)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByLabel('Digital')).toBeChecked()
  await tabTo(/^Card number/)
  await page.keyboard.type('6006 4930 1234 5678')
  // Listens early, because Enter may arrive before Playwright intercepts the file dialog.
  const chooser = page.waitForEvent('filechooser')
  await tabTo(/^Photo 1/)
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(await files(1))
  await tabTo(/^Payment method/)
  await page.keyboard.type('PayPal')
  await tabTo(/^Account holder name/)
  await page.keyboard.type('Sally Seller')
  await tabTo(/^Account information/)
  await page.keyboard.type('sally@example.com')
  await tabTo(/^Submit for Review/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/confirmation/)
})
