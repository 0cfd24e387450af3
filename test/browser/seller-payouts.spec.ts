import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectAccessibleInBothThemes, expectTextFits } from './looks.ts'
import { asStaff, expectToast, move, signedUp, submitCard, watchChannel } from './sellers.ts'

test.use({ viewport: { width: 360, height: 740 } })

test('a payout comes back: the seller reads why on the open page and names another account', async ({
  page,
  staffPage,
}) => {
  const { firstName, lastName } = await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  await move(staffPage, id, 'processing')
  const channel = await watchChannel(page)
  await page.goto('/processing')
  await channel.open
  const card = page.getByRole('region', { name: 'Amazon card' })
  await expect(page.getByText('Approved: confirm your email and we will pay you')).toBeVisible()
  // Said once.
  await expect(card).not.toContainText('confirm your email')
  await page.getByRole('button', { name: 'Request Another Link' }).click()
  await expectToast(page, 'Link Sent')

  await move(staffPage, id, 'completed')
  const row = page.getByRole('listitem').filter({ hasText: 'Completed' })
  await expect(row).toContainText(/By PayPal on \w+ \d+ reference \w{4}/)
  await expect(card).toHaveCount(0)

  const [payout] = await (await staffPage.request.get(`/api/admin/payouts?q=${id}`)).json()
  const data = { reason: 'This account cannot receive payments' }
  const answer = await staffPage.request.post(`/api/admin/payouts/${payout.id}/return`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
  await expect(card).toContainText('Approved, but your payout came back')
  await expect(card).toContainText('This account cannot receive payments')
  await expect(card).toContainText('Your $93.00 is safe with us. We need another account')
  await expectAccessibleInBothThemes(page)

  await card.getByRole('button', { name: 'Enter Another Account' }).click()
  const dialog = page.getByRole('dialog', {
    name: 'Where should we send the $93.00 for your Amazon card?',
  })
  const send = dialog.getByRole('button', { name: 'Use This Account' })
  await send.click()
  await expect(dialog.getByLabel('Payment method')).toBeFocused()
  await dialog.getByLabel('Payment method').selectOption('Bank Transfer')
  await expect(dialog.getByLabel('Account holder name')).toHaveValue(`${firstName} ${lastName}`)
  await dialog.getByLabel('Account number').fill('000123456789')
  await dialog.getByLabel('Routing number').fill('122105156')
  await send.click()
  await expect(dialog).toContainText('No bank has this routing number')
  await expect(dialog).not.toContainText('does not look like a routing number')
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Routing number').fill('122105155')
  await send.click()
  await expectToast(
    page,
    'Account Changed',
    /^.*We will send \$93\.00 for this card to bank transfer ••••\s6789 after 24 hours\./,
  )
  await expect(dialog).toHaveCount(0)

  const waits = /We will send it after \w+ \d+, \d+:\d+ [AP]M/
  await expect(card).toContainText(waits)
  await page.reload()
  await expect(card).toContainText(waits)
  await card.getByRole('button', { name: 'History' }).click()
  await expect(card.getByRole('list', { name: 'History' })).toContainText(
    /Payout came back.*Another account entered.*You/,
  )
  await page.getByRole('link', { name: 'Transactions' }).click()
  const sale = page.getByRole('list', { name: /^Your transactions/ }).getByRole('listitem')
  await expect(sale).toContainText(waits)
  await expect(sale).toContainText('Bank Transfer Sally Seller')
  await page.goBack()
  await expect(card).toContainText(waits)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Español' }).click()
  await expect(page.getByRole('main')).toContainText(/Lo enviaremos después del \d+ de \w+ a las? \d/)
  await expectAccessibleInBothThemes(page)

  await staffPage.goto(`/admin?view=pay&id=${id}`)
  await staffPage.getByRole('button', { name: 'Mark Complete' }).click()
  await expect(staffPage.getByRole('dialog', { name: 'Mark Complete' })).toContainText(
    'This payout is on hold until',
  )
})

test('after a payout failed because of its account, the seller enters another one', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  await move(staffPage, id, 'processing')
  await move(staffPage, id, 'failed', 'payout_account_not_found')
  const main = page.getByRole('main')
  await page.goto('/account')
  await expect(main.getByRole('status')).toContainText('Approved$93.00')
  const row = main.getByRole('listitem').filter({ hasText: 'Approved, but we need another account' })
  await expect(main.locator('s')).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await row.getByRole('link', { name: 'Enter Another Account' }).click()
  await expect(main).toContainText('Your $93.00 is safe with us. We need another account')
  await expect(main.getByText('Reason: “We could not find the payout account.')).toBeVisible()
  await expect(main).not.toContainText('contact support')
  await expect(main.locator('s')).toHaveCount(0)
  await expectAccessibleInBothThemes(page)

  await staffPage.goto(`/admin?view=waiting&id=${id}`)
  const desk = staffPage.getByRole('region', { name: 'Submission', exact: true })
  await expect(desk.getByText('Account Needed', { exact: true })).toBeVisible()
  await desk.getByRole('link', { name: 'Open the payout' }).click()
  const panel = staffPage.getByRole('region', { name: 'Payout', exact: true })
  await expect(panel).toContainText(
    'The seller is asked for another account. Once it is entered, a new payout is due.',
  )
  await expect(panel.getByRole('button', { name: /Reveal/ })).toHaveCount(0)
  await expectAccessibleInBothThemes(staffPage)

  for (const path of ['/transactions', '/processing']) {
    await page.goto(path)
    await expect(main.getByText('Account Needed').filter({ visible: true }).first()).toBeVisible()
    await expect(main.getByRole('button', { name: 'Enter Another Account' })).toBeVisible()
  }
  await main.getByRole('button', { name: 'Enter Another Account' }).click()
  const form = page.getByRole('dialog', {
    name: 'Where should we send the $93.00 for your Amazon card?',
  })
  await form.getByLabel('Payment method', { exact: true }).selectOption('venmo')
  await form.getByLabel('Venmo @handle, email or phone').fill('@sally-seller')
  await form.getByRole('button', { name: 'Use This Account' }).click()
  await expectToast(page, 'Account Changed', 'We will send $93.00 for this card')
  await page.goto(`/account/card?id=${id}`)
  await expect(main).toContainText('24 hours after you changed the account')
  await expect(main.getByText('Another account entered')).toHaveCount(1)
  await expect(main.getByText('Account Needed')).toHaveCount(1)
  await expect(main.getByText('Payout failed')).toHaveCount(0)
  await staffPage.reload()
  await panel.getByRole('link', { name: /^payout \d+$/ }).click()
  await expect(panel.getByText('Due', { exact: true }).first()).toBeVisible()
  await expectAccessibleInBothThemes(page)
})

test('a payout that failed otherwise sends the seller to support, and promises nothing', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  const main = page.getByRole('main')
  const failed = async (reason: string) => {
    await move(staffPage, id, 'processing')
    await move(staffPage, id, 'failed', reason)
    await page.goto('/account')
  }
  await failed('The bank asked us to wait')
  await expect(main.getByRole('listitem')).toContainText(['The payout failed, please contact support'])
  await expect(main.locator('s')).toHaveText('$93.00')
  await expect(main.getByRole('status')).toHaveCount(0)
  await main.getByRole('link', { name: 'Contact Support' }).click()
  const chat = page.getByRole('dialog', { name: 'Support' })
  await chat.getByRole('button', { name: 'Close' }).click()
  await expect(main).toContainText('The bank asked us to wait')
  await expect(main.getByRole('link', { name: 'Contact Support' })).toBeVisible()
  await expect(main).not.toContainText('safe')

  await failed('usage_redeemed')
  await expect(main.getByRole('heading', { level: 2 })).toHaveText(['Your account'])
  await page.goto(`/account/card?id=${id}`)
  await expect(main).toContainText('The payout failed, please contact support')
  await expect(main.locator('s')).toHaveText('$93.00')
  await expect(main.getByRole('link', { name: 'Contact Support' })).toHaveCount(0)
})

for (const [locale, words] of Object.entries({
  en: {
    group: '3 cards need another account',
    safe: 'Your $279.00 is safe with us.',
    open: 'Enter Another Account',
    type: 'Payment method',
    info: 'Venmo @handle, email or phone',
    all: 'Use it for all 3 cards that were to be paid to r•••@example.com ($279.00)',
    remember: 'Remember this account for my next sale',
    send: 'Use This Account',
    done: 'Account Changed',
    toast: 'We will send $279.00 for 3 cards to Venmo @r•••ms after 24 hours.',
    waits: 'We will send it after',
  },
  es: {
    group: '3 tarjetas necesitan otra cuenta',
    safe: 'Sus $279.00 están seguros con nosotros.',
    open: 'Indicar otra cuenta',
    type: 'Método de pago',
    info: /Venmo/,
    all: 'Usarla para las 3 tarjetas que íbamos a pagar a r•••@example.com ($279.00)',
    remember: 'Recordar esta cuenta para mi próxima venta',
    send: 'Usar esta cuenta',
    done: 'Cuenta cambiada',
    toast: 'Enviaremos $279.00 por 3 tarjetas a Venmo @r•••ms después de 24 horas.',
    waits: 'Lo enviaremos después del',
  },
})) {
  test(`a closed account is replaced once for all its cards: ${locale}`, async ({ page, staffPage }) => {
    await signedUp(page)
    await asStaff(staffPage)
    await cardsOfClosedAccount(page, staffPage, `ruth.${locale}@example.com`, Array(3).fill('It is closed'))
    await page.request.put('/api/user/locale', { data: { locale } })
    const main = page.getByRole('main')
    for (const path of ['/processing', '/account']) {
      await page.goto(path)
      const group = main
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: words.group }) })
      await expect(group).toContainText(words.safe)
      await expect(group.getByRole('link', { name: 'Amazon' })).toHaveCount(3)
      await expect(group.getByRole('button')).toHaveCount(1)
      await expectAccessibleInBothThemes(page)
      await expectTextFits(page)
    }
    await page.getByRole('button', { name: words.open }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(words.type).selectOption('Venmo')
    await dialog.getByLabel(words.info).fill('@ruth-abrams')
    await expect(dialog.getByLabel(words.all)).toBeChecked()
    await expect(dialog.getByLabel(words.remember)).not.toBeChecked()
    await dialog.getByLabel(words.remember).check()
    await expectAccessibleInBothThemes(page)
    await expectTextFits(page)
    await dialog.getByRole('button', { name: words.send }).click()
    await expectToast(page, words.done, words.toast)
    await expect(main.getByRole('heading', { name: words.group })).toHaveCount(0)
    await expect(main).toContainText(words.waits)
    const methods = await (await page.request.get('/api/payment-methods')).json()
    expect(methods).toMatchObject([{ type: 'venmo', accountInfo: '@ruth-abrams', isDefault: true }])
  })
}

test('one card is changed alone when the box is cleared', async ({ page, staffPage }) => {
  await signedUp(page)
  await asStaff(staffPage)
  const reasons = ['PayPal closed it', 'PayPal does not know it']
  const ids = await cardsOfClosedAccount(page, staffPage, 'alone@example.com', reasons)
  const dialog = page.getByRole('dialog')
  const title = dialog.getByRole('heading')
  await page.goto('/account')
  await page.getByRole('button', { name: 'Enter Another Account' }).click()
  for (const reason of reasons) await expect(dialog).toContainText(`Reason: “${reason}”`)
  await expect(title).toHaveText('Where should we send your $186.00?')
  await page.goto(`/account/card?id=${ids[0]}`)
  await page.getByRole('button', { name: 'Enter Another Account' }).click()
  await expect(title).toHaveText('Where should we send your $186.00?')
  await dialog.getByLabel('Payment method').selectOption('Venmo')
  await dialog.getByLabel('Venmo @handle, email or phone').fill('@ruth-abrams')
  await dialog.getByLabel(/^Use it for both cards/).uncheck()
  await expect(title).toHaveText('Where should we send the $93.00 for your Amazon card?')
  await dialog.getByRole('button', { name: 'Use This Account' }).click()
  await expectToast(
    page,
    'Account Changed',
    'We will send $93.00 for this card to Venmo @r•••ms after 24 hours.',
  )
  await page.goto(`/account/card?id=${ids[1]}`)
  await expect(page.getByRole('button', { name: 'Enter Another Account' })).toBeVisible()
  expect(await (await page.request.get('/api/payment-methods')).json()).toEqual([])
})

test('money that cannot be sent comes first, and its form takes along the cards below it', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const to = { paymentAccountInfo: 'three@example.com' }
  await submitCard(page, to)
  const offered = await submitCard(page, to)
  await cardsOfClosedAccount(page, staffPage, to.paymentAccountInfo, ['PayPal closed it'])
  const data = { status: 'offered', amount: '80.00', reason: 'The balance is lower' }
  const answer = await staffPage.request.patch(`/api/admin/submissions/${offered}/status`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
  const main = page.getByRole('main')
  await page.goto('/processing')
  const open = main.getByRole('listitem').filter({ has: page.getByRole('region') })
  await expect(open).toHaveText([/Your \$93\.00 is safe with us/, /New offer/, /needs another account too/])
  await expect(main.getByText('This card needs another account too.')).toHaveCount(2)
  await expect(main.getByRole('button', { name: 'Enter Another Account' })).toHaveCount(1)
  await main.getByRole('button', { name: 'Accept $80.00' }).click()
  await expect(page.getByRole('dialog')).toContainText('You can enter another account after you accept.')
  await page.keyboard.press('Escape')

  await page.goto('/account')
  const tasks = main.getByRole('listitem').filter({ hasText: 'Enter Another Account' })
  await expect(tasks).toHaveText([/\$93\.00/])
  await main.getByRole('link', { name: 'Enter Another Account' }).click()
  await main.getByRole('button', { name: 'Enter Another Account' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading')).toHaveText('Where should we send your $93.00?')
  await dialog.getByLabel('Payment method').selectOption('Venmo')
  await dialog.getByLabel('Venmo @handle, email or phone').fill('@ruth-abrams')
  await dialog.getByRole('button', { name: 'Use This Account' }).click()
  await expectToast(page, 'Account Changed', 'We will send $93.00 for this card')
  await page.goto('/account')
  await expect(main).toContainText(/We will send it after \w{3} \d+/)
})

test('a late payout says so, and how to ask', async ({ page, staffPage, database }) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  const main = page.getByRole('main')
  const pending = await submitCard(page)
  await page.goto(`/account/card?id=${pending}`)
  await expect(main).toContainText('Your quote')
  await expect(main).not.toContainText('You will receive')
  await move(staffPage, id, 'processing')
  const late = main.getByText(
    'This is taking longer than usual. Your $93.00 is safe, and we are working on it.',
  )
  const open = async () => {
    await page.goto(`/account/card?id=${id}`)
    await expect(main.getByRole('link', { name: 'Ask about this card' })).toHaveCount(1)
    await page.waitForLoadState('networkidle')
  }
  const ago = async (days: number) => {
    const then = `now() - make_interval(days => ${days})`
    await database.query(`update gift_cards set updated_at = ${then} where id = $1`, [id])
    await database.query(`update payouts set batchable_at = ${then} where gift_card_id = $1`, [id])
  }
  await ago(9)
  await open()
  await expect(late).toHaveCount(0)
  await database.query('update users set verified = true where id = $1', [seller.id])
  await open()
  await expect(late).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await main.getByRole('link', { name: 'Ask about this card' }).click()
  await expect(page.getByRole('dialog', { name: 'Support' })).toBeVisible()
  await page.request.put('/api/user/locale', { data: { locale: 'es' } })
  await page.goto(`/account/card?id=${id}`)
  await expect(main).toContainText(
    'Está tardando más de lo normal. Sus $93.00 están seguros y estamos en ello.',
  )
  for (const list of ['/account', '/processing']) {
    await page.goto(list)
    await expect(main.getByText('Está tardando más de lo normal.')).toHaveCount(1)
  }
  await page.request.put('/api/user/locale', { data: { locale: 'en' } })
  await ago(0)
  for (const list of ['/account', '/processing', '/transactions']) {
    await page.goto(list)
    // Transactions have a table and cards, of which one shows.
    const day = main.getByText(/Expected by \w{3}, \w{3} \d+$/).filter({ visible: true })
    await expect(day).toHaveCount(1)
    await expectTextFits(page)
  }
  await open()
  await expect(main).toContainText('Expected by')
  await expect(late).toHaveCount(0)
})

test('on a phone, the money on the home follows what needs the seller', async ({ page, staffPage }) => {
  await signedUp(page)
  await asStaff(staffPage)
  const rejected = await submitCard(page)
  await move(staffPage, rejected, 'rejected', 'usage_redeemed')
  const main = page.getByRole('main')
  await page.goto('/account')
  await expect(main.getByRole('heading', { level: 2 })).toHaveText(['Recently rejected', 'Your account'])
  const paid = await submitCard(page)
  await move(staffPage, paid, 'completed')
  const asked = await submitCard(page)
  await move(staffPage, asked, 'under_review', 'Which shop is it from?')
  await page.reload()
  const top = async (text: string, exact = false) =>
    (await main.getByText(text, { exact }).first().boundingBox())?.y ?? 0
  await expect(main.getByText('Waits for your answer to our question')).toBeVisible()
  const money = await top('Waits for your answer')
  expect(money).toBeGreaterThan(await top('Which shop is it from?'))
  expect(money).toBeLessThan(await top('Paid', true))
  expect(money).toBeLessThan(await top('Recently rejected'))
})

test('the home says how far the money is, and what its amounts leave out', async ({
  page,
  staffPage,
  database,
}) => {
  const { id: seller } = await signedUp(page)
  await database.query('update users set verified = true where id = $1', [seller])
  await asStaff(staffPage)
  const main = page.getByRole('main')
  const card = main.getByRole('status')
  const ids = [await submitCard(page), await submitCard(page)]
  await page.goto('/account')
  await expect(main).toContainText('2 cardsIn review, if all are approved$186.00')
  for (const id of ids) await move(staffPage, id, 'processing')
  await page.reload()
  await expect(main).toContainText('2 cardsApproved, your payment is being processed$186.00')
  const sent = new Set<string>()
  await page.route('**/api/user/home', async (route) => {
    const home = await (await route.fetch()).json()
    for (const { id, payout } of home.underWay.cards) if (sent.has(id)) payout.state = 'sent'
    await route.fulfill({ json: home })
  })
  for (const [id, label] of [
    [ids[0], 'Approved'],
    [ids[1], 'Approved, on its way'],
  ] as const) {
    sent.add(id ?? '')
    await page.reload()
    await expect(card).toHaveText(`${label}$186.00`)
  }

  for (const amount of ['74.40', '62.10']) {
    const data = { status: 'offered', amount, reason: 'The card holds less' }
    await staffPage.request.patch(`/api/admin/submissions/${await submitCard(page)}/status`, { data })
  }
  await page.reload()
  await expect(main).toContainText('Your 2 open offers ($136.50) are not included')
  await expectAccessibleInBothThemes(page)
  await expectTextFits(page)
  await page.request.put('/api/user/locale', { data: { locale: 'es' } })
  await page.goto('/account')
  await expect(main).toContainText('Sus 2 ofertas pendientes ($136.50) no están incluidas')
  await expectTextFits(page)
})

test('the button for another link is never the loudest of the home', async ({ page, staffPage }) => {
  await signedUp(page)
  await asStaff(staffPage)
  const main = page.getByRole('main')
  const confirm = main.getByRole('button', { name: 'Request Another Link' })
  const accent = (button: Locator) => expect(button).toHaveClass(/bg-accent /)
  await page.goto('/account')
  await accent(main.getByRole('link', { name: 'Get a Quote' }))
  await expect(confirm).not.toHaveClass(/bg-accent /)
  const rejected = await submitCard(page)
  await page.reload()
  await expect(confirm).not.toHaveClass(/bg-accent /)
  await move(staffPage, rejected, 'rejected', 'image_glare')
  await page.reload()
  await accent(main.getByRole('link', { name: 'Send the Card Again' }))
  await expect(confirm).not.toHaveClass(/bg-accent /)
})

/** Paid cards of the seller whose money came back, because the account was closed. */
async function cardsOfClosedAccount(
  page: Page,
  staffPage: Page,
  paymentAccountInfo: string,
  reasons: readonly string[],
) {
  const ids: string[] = []
  for (const _ of reasons) ids.push(await submitCard(page, { paymentAccountInfo }))
  for (const id of ids) await move(staffPage, id, 'completed')
  for (const [index, id] of ids.entries()) {
    const [payout] = await (await staffPage.request.get(`/api/admin/payouts?q=${id}`)).json()
    const data = { reason: reasons[index] }
    const answer = await staffPage.request.post(`/api/admin/payouts/${payout.id}/return`, { data })
    expect(answer.status(), await answer.text()).toBe(200)
  }
  return ids
}

test('a wrong routing number is corrected during the review', async ({ page, staffPage }) => {
  await signedUp(page)
  await asStaff(staffPage)
  const wrong = {
    paymentType: 'bank_transfer',
    paymentAccountInfo: '',
    paymentRoutingNumber: '123456789',
    paymentAccountNumber: '987654321',
  }
  const id = await submitCard(page, wrong)
  const saved = {
    type: 'bank_transfer',
    accountName: 'S',
    routingNumber: '123456789',
    accountNumber: '987654321',
  }
  await page.request.post('/api/payment-methods', { data: saved })
  const main = page.getByRole('main')
  const asked = main.getByText('Your routing number is wrong, so we cannot pay this account.')
  for (const address of ['/account', `/confirmation?giftCardId=${id}`, `/account/card?id=${id}`]) {
    await page.goto(address)
    await expect(asked).toBeVisible()
  }
  await main.getByRole('button', { name: 'Enter Another Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Which account should we use for your Amazon card?' })
  await dialog.getByLabel('Payment method').selectOption('Bank Transfer')
  await dialog.getByLabel('Account number').fill('000123456789')
  await dialog.getByLabel('Routing number').fill('021000021')
  await expect(dialog).not.toContainText('24 hours')
  await dialog.getByLabel('Remember this account').check()
  await dialog.getByRole('button', { name: 'Use This Account' }).click()
  await expectToast(page, 'Account Changed')
  await expect(asked).toHaveCount(0)
  await expect(main).toContainText('•••• 6789')
  await expect(main.getByText('Another account entered')).toBeVisible()
  await page.goto('/profile')
  const methods = page.getByRole('list', { name: 'Payment methods' }).getByRole('listitem')
  await expect(methods.first()).toContainText('Default')
  await expect(methods.nth(1)).not.toContainText('Default')
  await page.request.post('/api/payment-methods', {
    data: { type: 'paypal', accountName: 'S', accountInfo: 's@pay.example' },
  })
  await page.reload()
  await methods
    .first()
    .getByRole('button', { name: /^Make PayPal .* the default$/ })
    .click()
  await expectToast(page, 'Default Changed')
  await expect(methods.first()).toContainText('Default')
})
