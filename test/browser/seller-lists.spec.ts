import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectAccessibleInBothThemes, expectNoHorizontalScroll } from './looks.ts'
import { asStaff, expectToast, forgive, move, signedUp, submitCard, watchChannel } from './sellers.ts'

test('/transactions shows totals, columns and reasons, and how to start', async ({ page, staffPage }) => {
  await signedUp(page)
  await page.goto('/transactions')
  await expect(page.getByText('No transactions yet')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Get Quote Now' })).toHaveAttribute(
    'href',
    '/get-quote',
  )
  await asStaff(staffPage)
  const [paid, rejected] = [await submitCard(page), await submitCard(page, { cardNumber: '6006 1' })]
  await submitCard(page, { cardNumber: '6006 2' })
  await move(staffPage, paid, 'completed')
  await move(staffPage, rejected, 'rejected', 'The number is not readable')
  await page.reload()
  const sum = (name: string) => page.getByText(name, { exact: true }).locator('xpath=following-sibling::dd')
  await expect(sum('Total Earned')).toHaveText('$93.00')
  await expect(sum('Total Transactions')).toHaveText('3')
  await expect(sum('Pending')).toHaveText('1 waiting for our review')
  await expect(page.getByRole('columnheader')).toHaveText([
    'Date',
    'Gift Card',
    'Amount',
    'Payment Method',
    'Status',
  ])
  const row = page.getByRole('row', { name: /Rejected/ })
  await expect(row).toContainText('The number is not readable')
  for (const text of [
    'Amazon',
    'Card value $100.00',
    '$93.00',
    'PayPal',
    'Sally Seller',
    's•••@example.com',
  ]) {
    await expect(row).toContainText(text)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(page.getByRole('table')).toBeHidden()
  await expect(page.getByRole('list', { name: /Your transactions/ }).getByRole('listitem')).toHaveCount(3)
})

test('a long list loads in pages, and a failed page can be retried', async ({ page, complaints }) => {
  await signedUp(page)
  for (let card = 0; card < 3; card += 1) await submitCard(page)
  // The list is refreshed when the live channel opens, which would cancel loading more, so it never opens.
  await page.routeWebSocket(/\/ws/, () => new Promise(() => {}))
  // Ask the server for pages of two.
  await page.route(/\/api\/my-transactions$/, (route) =>
    route.continue({ url: `${route.request().url()}?limit=2` }),
  )
  await page.goto('/transactions')
  await expect(page.getByText('Showing 2 of 3')).toBeVisible()
  await page.route('**/api/my-transactions?*cursor=*', (route) => route.abort())
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page.getByText('We could not be reached.')).toBeVisible()
  await page.unroute('**/api/my-transactions?*cursor=*')
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect(page.getByRole('row')).toHaveCount(4)
  await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0)
  forgive(complaints, /net::ERR_FAILED/)
})

test('lists that fail to load say so and can be retried', async ({ page, complaints }) => {
  await signedUp(page)
  // The live channel never opens, so only the button reloads the list.
  await page.routeWebSocket(/\/ws/, () => new Promise(() => {}))
  await page.route('**/api/{my-transactions,user/earnings,user/gift-cards}*', (route) => route.abort())
  await page.goto('/transactions')
  await expect(page.getByRole('alert')).toContainText('We could not be reached.')
  await page.goto('/processing')
  await expect(page.getByRole('alert').first()).toContainText('We could not be reached.')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await expect(page.getByText('Nothing in progress')).toBeVisible()
  forgive(complaints, /net::ERR_FAILED/)
})

test('/processing lets sellers answer a question, see the history and withdraw', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  await page.goto('/processing')
  const card = page.getByRole('region', { name: /^Amazon card \d{4}$/ })
  await expect(card).toContainText('Your card is being reviewed')
  await expect(card).toContainText('Your quote$93.00')
  await expect(card).toContainText('Card value $100.00')
  await expect(card).toContainText('A birthday present')
  await expect(card.getByText(/^Submitted/).locator('time')).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT/)
  await move(staffPage, id, 'under_review', 'Please send the back of the card')
  await expect(card).toContainText('Additional verification required')
  await expect(card).toContainText('Please send the back of the card')
  await card.getByRole('button', { name: 'Answer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your answer').fill('Here it is')
  await dialog.getByRole('button', { name: 'Send Answer' }).click()
  await expectToast(page, 'Answer Sent')
  await expect(card).toContainText('Your card is being reviewed')
  await card.getByRole('button', { name: 'History' }).click()
  const history = card.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(history).toHaveCount(3)
  await expect(history.nth(0)).toContainText('Submitted')
  await expect(history.nth(1)).toContainText('Question from us')
  await expect(history.nth(1)).toContainText('Please send the back of the card')
  await expect(history.nth(2)).toContainText('Answer sent')
  await expect(history.nth(2)).toContainText('Here it is')
  await card.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expectToast(page, 'Submission Withdrawn')
  await expect(page.getByText('Nothing in progress')).toBeVisible()
  await expect(page.getByRole('region', { name: 'All Submissions' })).toContainText('Cancelled')
})

test('/processing starts with a rejected card, unless another card needs an answer', async ({
  page,
  staffPage,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await signedUp(page)
  await asStaff(staffPage)
  const rejected = await submitCard(page)
  await move(staffPage, rejected, 'rejected', 'image_glare')
  await page.goto('/processing')
  const main = page.getByRole('main')
  const section = main.getByRole('region', { name: 'A rejected card that you can fix or appeal' })
  await expect(section.getByText('Rejected. You can fix this and send it again.')).toBeInViewport({
    ratio: 1,
  })
  await expect(section.getByRole('link', { name: 'Send the Card Again' })).toBeInViewport({ ratio: 1 })
  await expect(main.getByRole('button', { name: 'Appeal' })).toHaveCount(1)
  await expect(main.getByText('Nothing else in progress.')).toBeVisible()
  await expect(main.getByRole('link', { name: 'Get Quote Now' })).toHaveCount(0)

  const headings = main.getByRole('heading', { level: 2 })
  const asked = await submitCard(page)
  await page.reload()
  await expect(headings).toHaveText([/^A rejected card/, /Amazon/, 'All Submissions'])
  await move(staffPage, asked, 'under_review', 'Which shop is it from?')
  await expect(headings).toHaveText([/Amazon/, /^A rejected card/, 'All Submissions'])
})

test('an answer dialog reports changes by staff, keeps the text through a reload, and asks before discarding it', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  await move(staffPage, id, 'under_review', 'Where did you buy it?')
  await page.goto('/processing')
  const open = page.getByRole('region', { name: 'Amazon card' }).getByRole('button', { name: 'Answer' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: /^Answer/ })
  const answer = dialog.getByLabel('Your answer')
  await answer.fill('In the shop on Main Street')
  const channel = await watchChannel(page)
  await page.reload()
  await channel.open
  await open.click()
  await expect(answer).toHaveValue('In the shop on Main Street')
  const send = dialog.locator('button', { hasText: 'Send Answer' })
  const [box, sendBox] = [await dialog.boundingBox(), await send.boundingBox()]
  await page.keyboard.press('Escape')
  const asking = dialog.getByRole('alertdialog', { name: 'Discard what you typed?' })
  await expect(asking.getByRole('button', { name: 'Keep Editing' })).toBeFocused()
  // It covers the buttons, which keep their places.
  expect([await dialog.boundingBox(), await send.boundingBox()]).toEqual([box, sendBox])
  expect(bottomOf(await asking.boundingBox())).toBeCloseTo(bottomOf(box), 0)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(asking.getByRole('button', { name: 'Keep Editing' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(asking).toHaveCount(0)

  await move(staffPage, id, 'pending')
  await expect(dialog).toContainText('We continued the review while you were writing')
  await expect(dialog.getByRole('button', { name: 'Send Answer' })).toHaveCount(0)
  await move(staffPage, id, 'under_review', 'Which shop was it?')
  await expect(dialog).toContainText('Which shop was it?')
  await expect(dialog.getByRole('button', { name: 'Send Answer' })).toBeVisible()

  await move(staffPage, id, 'rejected', 'The card is used up')
  await expect(dialog).toContainText('This card was rejected while you were writing')
  await expect(dialog).toContainText('The card is used up')
  await expect(answer).toHaveValue('In the shop on Main Street')
  await expect(dialog.getByRole('button', { name: 'Send Answer' })).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Copy Text' })).toBeVisible()
  await answer.press('Escape')
  await asking.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Nothing else in progress.')).toBeVisible()
})

test('/confirmation shows what happens next and the ids from the address', async ({ page }) => {
  await page.goto('/confirmation?transactionId=one-id&giftCardId=another-id')
  const main = page.getByRole('main')
  await expect(main).toContainText('Pending Review')
  await expect(main.getByText('one-id')).toBeHidden()
  await main.getByText('Details').click()
  for (const text of ['one-id', 'another-id']) await expect(main.getByText(text)).toBeVisible()
  await expect(page.getByRole('region', { name: 'What happens next' }).getByRole('listitem')).toHaveText([
    /Review.*within 1-3 hours/,
    /Payment.*Once approved, your payout starts right away\. On weekends, it starts on the next business day\.$/,
    /Email notifications/,
  ])
  for (const path of ['/transactions', '/get-quote', '/']) {
    await expect(main.locator(`a[href="${path}"]`)).toBeVisible()
  }
  await page.goto('/confirmation')
  await expect(main).toContainText('Pending Review')
  await expect(main).not.toContainText('Transaction ID')
})

/** Waits until the page has loaded everything. */
async function settled(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Support Chat/ })).toBeVisible()
  await expect(page.locator('.animate-breathe')).toHaveCount(0)
}

test('every screen is accessible and fits, narrow and wide, light and dark', async ({ page, staffPage }) => {
  test.setTimeout(180_000)
  const LONG = 'Maximiliana Konstantinopolous-Wolfeschlegelsteinhausenberger'
  const account = { accountName: LONG, accountInfo: `${'never.ends.'.repeat(15)}@example.com` }
  await signedUp(page)
  await asStaff(staffPage)
  const asked = await submitCard(page)
  await move(staffPage, asked, 'under_review', `Where is it from? ${'Why'.repeat(80)}`)
  await submitCard(page, {
    brand: 'pneumonoultramicroscopicsilicovolcanoconiosis',
    sellingPrice: '85.00',
    discountPercentage: '15.00',
    paymentAccountName: account.accountName,
    paymentAccountInfo: account.accountInfo,
    submissionNotes: `${'A long note. '.repeat(30)}${'Pneumonoultramicroscopic'.repeat(8)}`,
  })
  await page.request.post('/api/payment-methods', { data: { type: 'paypal', ...account } })
  for (const screen of [
    '/account',
    `/account/card?id=${asked}`,
    '/transactions',
    '/processing',
    '/profile',
    '/confirmation?transactionId=0193f2c4-1234-7abc-8def-0123456789ab',
    '/sell-card?brand=pneumonoultramicroscopicsilicovolcanoconiosis&value=100',
    '/sell-card?brand=visa&value=200&quote=182.00&step=2',
    '/forgot-password',
    '/reset-password?token=x',
    '/restore-email?token=x',
    '/confirm-email?token=x',
  ]) {
    await page.goto(screen)
    await settled(page)
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 740 })
      await test.step(`${screen} at ${width} px`, () => expectAccessibleInBothThemes(page))
    }
    await page.setViewportSize({ width: 768, height: 740 })
    await test.step(`${screen} at 768 px`, () => expectNoHorizontalScroll(page))
    await page.setViewportSize({ width: 360, height: 740 })
  }
  await page.setViewportSize({ width: 360, height: 740 })
  const main = page.getByRole('main')
  for (const [screen, opener] of [
    ['/profile', 'Add Payment Method'],
    ['/profile', /^Delete PayPal/],
    ['/processing', 'Withdraw'],
    ['/processing', 'Answer'],
    ['/transactions', /^Support Chat/],
  ] as const) {
    await page.goto(screen)
    await settled(page)
    const place = screen === '/transactions' ? page : main
    await place.getByRole('button', { name: opener }).first().click()
    await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible()
    await expect(page.locator('.animate-breathe')).toHaveCount(0)
    await test.step(`${opener} of ${screen}`, async () => {
      await expectAccessibleInBothThemes(page)
      const wider = await page
        .getByRole('dialog')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)
      expect(wider, 'a dialog scrolls sideways').toBe(0)
    })
  }
})

test('a reason is in the language of the seller, and staff see which language that is', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  await move(staffPage, id, 'rejected', 'The card has expired.')
  await page.goto('/transactions')
  await expect(page.getByRole('row', { name: /Rejected/ })).toContainText('The card has expired.')
  await page.getByRole('link', { name: 'Español' }).first().click()
  await expect(page.getByRole('row', { name: /Rechazada/ })).toContainText('La tarjeta está vencida.')
  await expect(page).toHaveURL(/\/es\/transactions/)
  await staffPage.goto(`/admin?id=${id}`)
  await expect(staffPage.getByText('Reason the seller sees')).toBeVisible()
  await expect(staffPage.getByText('The card has expired.').first()).toBeVisible()
  await expect(staffPage.getByTitle('Reads this site in Spanish').first()).toBeVisible()
})

const bottomOf = (box: { y: number; height: number } | null) => (box ? box.y + box.height : NaN)
