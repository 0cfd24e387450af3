import { randomUUID } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { photo } from '#test/submissions.ts'
import { seriousFaults } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { expectAccessibleInBothThemes } from './looks.ts'
import { asStaff, expectToast, move, pressAnyway, signedUp, submitCard, watchChannel } from './sellers.ts'
import { files, picker, submit } from './selling.ts'

test.use({ viewport: { width: 360, height: 740 } })

test('an offer arrives on the open page and is accepted at the price that was shown', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  const offer = async (amount: string) => {
    const data = { status: 'offered', amount, reason: 'The card holds $80' }
    const answer = await staffPage.request.patch(`/api/admin/submissions/${id}/status`, { data })
    expect(answer.status(), await answer.text()).toBe(200)
  }
  const channel = await watchChannel(page)
  await page.goto('/processing')
  await channel.open
  const card = page.getByRole('region', { name: 'Amazon card' })
  const dialog = page.getByRole('dialog')
  await expect(card).toContainText('Your card is being reviewed')

  const check = await staffPage.request.post(`/api/admin/submissions/${id}/balance-checks`, {
    data: { amount: '80.00', source: 'website' },
  })
  expect(check.status()).toBe(201)
  await offer('70')
  await expectToast(page, 'New Offer')
  await expect(card).toContainText('New offer · we checked your card and can pay $70.00')
  await card.getByRole('button', { name: 'Accept $70.00' }).click()
  await expect(dialog).toContainText('The card holds $80')
  await expect(dialog).toContainText('We found a balance of $80.00 on your card.')
  // The price changes while the seller reads the old one.
  await move(staffPage, id, 'pending')
  await offer('74.40')
  await expect(page.getByText('can pay $74.40').first()).toBeAttached()
  await dialog.getByRole('button', { name: 'Accept $70.00' }).click()
  await expectToast(page, 'Offer Not Accepted', 'The offer is now $74.40')
  await expect(dialog).toHaveCount(0)

  await expect(card).toContainText(/Your quote\s*\$93\.00/)
  await expect(card).toContainText(/Ends in 3 days, on \w+ \d+/)
  expect(await seriousFaults(page), 'accessibility').toEqual([])
  await card.getByRole('button', { name: 'Accept $74.40' }).click()
  for (const text of ['$93.00', '$74.40', 'The card holds $80', '93% of that is $74.40'])
    await expect(dialog).toContainText(text)
  expect(await seriousFaults(page), 'accessibility').toEqual([])
  await dialog.getByRole('button', { name: 'Accept $74.40' }).click()
  await expectToast(page, 'Offer Accepted', '$74.40')
  await expect(card.getByText('Approved. Your payout is waiting for your confirmation.')).toBeFocused()
  await expect(card).toContainText(/You will receive\s*\$74\.40/)
  await card.getByRole('button', { name: 'History' }).click()
  await expect(card.getByRole('list', { name: 'History' }).getByRole('listitem')).toContainText([
    'Submitted',
    'New offer: $70.00',
    'Offer withdrawn',
    'New offer: $74.40',
    'Offer of $74.40 accepted',
  ])
})

test('the page of a card says why the offer is lower, and both prices, above the answer', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  await staffPage.request.post(`/api/admin/submissions/${id}/balance-checks`, {
    data: { amount: '80.00', source: 'website' },
  })
  const data = { status: 'offered', amount: '74.40', reason: 'The card holds less' }
  await staffPage.request.patch(`/api/admin/submissions/${id}/status`, { data })
  await page.goto(`/account/card?id=${id}`)
  const main = page.getByRole('main')
  const accept = await top(main.getByRole('button', { name: 'Accept $74.40' }))
  for (const text of ['The card holds less', '93% of that is $74.40', 'Your quote $93.00', 'Payout to'])
    expect(await top(main.getByText(text).first()), text).toBeLessThan(accept)
  await main.getByRole('button', { name: 'Accept $74.40' }).click()
  await expect(page.getByRole('dialog')).toContainText(/Payout to\s*PayPal, s•••@example\.com/)
})

const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN

test('the confirmation of a decided card leads to the card, on the open page and after a reload', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const saleId = randomUUID()
  const id = await submitCard(page, { saleId })
  await submitCard(page, { saleId })
  const channel = await watchChannel(page)
  await page.goto(`/confirmation?giftCardId=${id}`)
  await channel.open
  const main = page.getByRole('main')
  const title = main.getByRole('heading', { level: 1 })
  await expect(main.getByRole('heading', { name: 'Your card is in review' })).toBeVisible()
  await expect(main).toContainText('Your quote')
  for (const [status, badge, outcome] of [
    ['under_review', 'Waiting for You', 'Additional verification required'],
    ['processing', 'Approved', 'Approved. Your payout is waiting for your confirmation.'],
    ['failed', 'Failed', 'The payout failed, please contact support'],
  ] as const) {
    if (status === 'processing') {
      await move(staffPage, id, 'pending')
      await expect(main.getByRole('heading', { name: 'Your card is in review' })).toBeVisible()
    }
    await move(staffPage, id, status, status === 'processing' ? undefined : 'A reason')
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload()
      await expect(title).toHaveText(outcome)
      await expect(main.getByText(badge, { exact: true })).toBeVisible()
      for (const text of [
        'in review',
        'Pending Review',
        'Expected by',
        'What happens next',
        'You will receive',
      ])
        await expect(main.getByText(text)).toHaveCount(0)
    }
  }
  await expect(page).toHaveTitle(/^The payout failed, please contact support · /)
  await expectAccessibleInBothThemes(page)
  await main.getByRole('link', { name: 'See My Card' }).click()
  await expect(page).toHaveURL(`/account/card?id=${id}`)

  await page.goto(`/confirmation?saleId=${saleId}`)
  await expect(main.getByRole('heading', { name: 'Your cards have an update' })).toBeVisible()
  await expect(main.getByRole('listitem')).toContainText(['Failed', 'Pending Review'])
  await page.request.put('/api/user/locale', { data: { locale: 'es' } })
  await page.goto(`/es/confirmation?giftCardId=${id}`)
  await expect(title).toHaveText('El pago falló. Comuníquese con el equipo de ayuda')
  await expect(main.getByRole('link', { name: 'Ver mi tarjeta' })).toBeVisible()

  await page.request.put('/api/user/locale', { data: { locale: 'en' } })
  const rejected = await submitCard(page)
  await page.goto(`/confirmation?giftCardId=${rejected}`)
  await expect(main.getByText('Confirm your email to be paid')).toBeVisible()
  await move(staffPage, rejected, 'rejected', 'image_blurry')
  await expect(title).toHaveText('Rejected. You can fix this and send it again.')
  await expect(main.getByText('Please confirm your email')).toBeVisible()
})

test('the warning about a card number is in view in the sheets for an answer and an appeal', async ({
  page,
  staffPage,
}) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  const dialog = page.getByRole('dialog')
  for (const [status, open, label, send] of [
    ['under_review', 'Answer', 'Your answer', 'Send Answer'],
    ['rejected', 'Appeal', 'Why should we look at it again?', 'Send Appeal'],
  ] as const) {
    await move(staffPage, id, status, 'We cannot read the last four digits of the number on your photo.')
    await page.goto(`/account/card?id=${id}`)
    await page.getByRole('main').getByRole('button', { name: open, exact: true }).click()
    const message = dialog.getByLabel(label)
    await message.fill('The number is 6006 4912 3456 7890')
    await dialog.getByRole('button', { name: send }).click()
    const warning = dialog.getByRole('alert').filter({ hasText: 'This looks like a card number' })
    await expect(warning).toBeInViewport({ ratio: 1 })
    await expect(warning.getByRole('button', { name: 'Send anyway' })).toBeInViewport({ ratio: 1 })
    await expect(warning.getByRole('button', { name: 'Edit message' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(message).toBeFocused()
    await expect(warning).toHaveCount(0)
  }
})

test('a new number for a rejected card asks once for the PIN that the card had', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  for (const [reason, pin, left] of [
    // The first sale saves the account.
    ['image_glare', '4321', 'Please add a new photo and enter your payout account again.'],
    ['card_number_invalid', '', 'Please enter the card number and PIN again. We kept everything else.'],
  ] as const) {
    const id = await submitCard(page, { securityCode: '9876' })
    await move(staffPage, id, 'rejected', reason)
    await page.goto(`/sell-card?brand=amazon&value=100&resubmissionOf=${id}`)
    const guidance = page.getByRole('region', { name: 'Before you submit it again' })
    await expect(guidance).toContainText(left)
    await page.getByRole('button', { name: 'Continue to Submission' }).click()
    const field = page.getByLabel('PIN or redemption code')
    await expect(field).not.toHaveAccessibleDescription(/PIN before/)
    await page.getByLabel('Card number').fill(`6006 4912 3456 ${pin || '5555'}`)
    await expect(field).toHaveAccessibleDescription(
      'You gave a PIN before. With a new number, enter it again.',
    )
    if (pin) {
      await page.getByLabel('Account information').fill('sally@example.com')
      await page.getByLabel('Remember this account').check()
    }
    await picker(page).setInputFiles(await files(1))
    await submit(page).click()
    await expectToast(page, 'PIN Missing', 'If this number has none, submit again.')
    await expect(field).toBeFocused()
    await field.fill(pin)
    await submit(page).click()
    await expect(page).toHaveURL(/\/confirmation/)
    const sent = new URL(page.url()).searchParams.get('giftCardId')
    const shown = await staffPage.request.post(`/api/admin/submissions/${sent}/reveal`)
    expect((await shown.json()).securityCode ?? '').toBe(pin)
  }
})

test('a card that was rejected for its photos needs a new one, in both languages', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  await move(staffPage, id, 'rejected', 'image_code_covered')
  const form = `/sell-card?brand=amazon&value=100&resubmissionOf=${id}&step=2`
  await page.goto(form)
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await page.getByLabel('Account information').fill('sally@example.com')
  await expect(page.getByText('Still to complete or correct: a new photo')).toBeVisible()
  await pressAnyway(submit(page))
  const needed = 'Please add a new photo. With the same photos, we would reject the card again.'
  await expectToast(page, 'Images Required', needed)
  await expect(picker(page)).toHaveAccessibleDescription(new RegExp(needed))
  expect(await seriousFaults(page), 'accessibility').toEqual([])

  // The file of the rejected photo, under another name.
  const same = { name: 'new.jpg', mimeType: 'image/jpeg', buffer: await photo() }
  await picker(page).setInputFiles(same)
  await expect(page.getByText('Still to complete or correct')).toHaveCount(0)
  await submit(page).click()
  await expectToast(page, 'Submission Failed', needed)
  await page.getByRole('button', { name: 'Remove Photo 2' }).click()

  await page.request.put('/api/user/locale', { data: { locale: 'es' } })
  await page.goto(`/es${form}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vuelva a enviar su tarjeta de Amazon')
  await expect(page.getByText('Falta completar o corregir: una foto nueva')).toBeVisible()
  await picker(page).setInputFiles(await files(1))
  await submit(page).click()
  await expect(page).toHaveURL(/\/confirmation/)
})

test('a rejected card is appealed, rejected again and submitted again', async ({ page, staffPage }) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  await move(staffPage, id, 'rejected', 'The photo is blurry')
  await page.goto('/transactions')
  const sale = page.getByRole('list', { name: /^Your transactions/ }).getByRole('listitem')
  const dialog = page.getByRole('dialog')
  await sale.getByRole('button', { name: 'Appeal' }).click()
  await expect(dialog).toContainText('We will look at your card again, with what you write here.')
  const message = dialog.getByLabel('Why should we look at it again?')
  await message.fill('Please')
  await picker(page).setInputFiles(await files(1))
  await dialog.getByRole('button', { name: 'Send Appeal' }).click()
  await expect(dialog).toContainText('Please write at least 10 characters')
  expect(await seriousFaults(page), 'accessibility').toEqual([])
  await message.fill('Please look at the new photo')
  await dialog.getByRole('button', { name: 'Send Appeal' }).click()
  await expectToast(page, 'Appeal Sent')
  await expect(sale).toContainText('Your appeal is being reviewed')
  await page.goto(`/account/card?id=${id}`)
  const main = page.getByRole('main')
  await expect(main).toContainText('We look at it again and email you the decision.')
  await expect(main).not.toContainText('typically takes 1 hour')
  await page.goto('/account')
  await expect(main).toContainText('Your appeal is being reviewed')
  await page.goto('/transactions')

  await move(staffPage, id, 'rejected', 'image_glare')
  await expect(sale).toContainText('Glare hides the number or code.')
  await expect(sale.getByRole('button', { name: 'Appeal' })).toHaveCount(0)
  await sale.getByRole('link', { name: 'Send the Card Again' }).click()
  const guidance = page.getByRole('region', { name: 'Before you submit it again' })
  await expect(guidance).toContainText(/Why it was rejected\s*Glare hides the number or code\./)
  await expect(guidance).toContainText('How to submit it again')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Submit your Amazon card again')
  await expect(page.getByText('Have these ready')).toHaveCount(0)
  const toCard = new RegExp(`/account/card\\?id=${id}`)
  await expect(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', toCard)
  await expect(guidance.getByRole('img', { name: 'A bright reflection covers the number.' })).toBeVisible()
  await expect(guidance.getByRole('img', { name: 'with a number that can be read.' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Continue to Submission' }).click()
  await expect(page.getByRole('link', { name: 'Cancel' })).toHaveAttribute('href', toCard)
  await expect(page.getByLabel('Notes')).toHaveValue('A birthday present')
  await expect(page.getByLabel('Payment method')).toHaveValue('paypal')
  await expect(page.getByLabel('Card number')).toHaveValue('')
  await expect(page.getByLabel('Card number')).toHaveAccessibleDescription(
    'Leave it empty to keep •••• 5678, with its PIN and expiration date.',
  )
  await expect(page.getByRole('img', { name: 'Photo 2' })).toBeVisible()
  await page.getByLabel('Account information').fill('sally@example.com')
  await page.getByRole('button', { name: 'Remove Photo 1' }).click()
  // The appeal had the usual one.
  const buffer = await photo(200)
  await picker(page).setInputFiles({ name: 'new.jpg', mimeType: 'image/jpeg', buffer })
  await submit(page).click()
  await expect(page).toHaveURL(/\/confirmation/)
  await page.goto('/processing')
  await expect(page.getByRole('button', { name: 'Withdraw' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Send the Card Again' })).toHaveCount(0)
  await expect(page.getByText('You sent this card again on')).toBeVisible()
  await page.getByRole('link', { name: 'See the new submission' }).click()
  await page.getByRole('link', { name: 'See the rejected submission' }).click()
  await expect(page.getByRole('link', { name: 'See the new submission' })).toBeVisible()

  const used = await submitCard(page)
  await move(staffPage, used, 'rejected', 'usage_redeemed')
  await page.goto(`/account/card?id=${used}`)
  await expect(page.getByText('Brand New')).toBeVisible()
  await page.getByRole('link', { name: 'What You Can Do' }).click()
  await expect(page.getByRole('region', { name: 'Submitting this card again will not help' })).toContainText(
    'There is no money left on this card',
  )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What You Can Do')
  const form = page.getByRole('button', { name: 'Continue to Submission' })
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Go to Your Card' })).toBeVisible()
  await page.getByRole('button', { name: 'Fill In the Form Anyway' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Submit your Amazon card again')
  await form.click()
  await expect(submit(page)).toBeVisible()
  await page.reload()
  await expect(submit(page)).toBeVisible()
})

test('the landing page and the home lead to a card that needs an answer, and follow it after the offer is accepted', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const main = page.getByRole('main')
  await page.goto('/account')
  await expect(main.getByRole('link', { name: 'Get a Quote' })).toBeVisible()
  const id = await submitCard(page)
  const channel = await watchChannel(page)
  await page.goto('/')
  await channel.open
  const headline = main.getByRole('heading', { level: 1 })
  const before = await headline.boundingBox()
  const hint = main.getByRole('region', { name: 'Your account' }).getByRole('link')
  await expect(hint).toHaveCount(0)
  const data = { status: 'offered', amount: '74.40', reason: 'The card holds $80' }
  await staffPage.request.patch(`/api/admin/submissions/${id}/status`, { data })
  await expect(hint).toHaveText('1 card needs your answer')
  const account = page.getByRole('button', { name: /My Account\s?, 1 card needs your answer/ })
  await expect(account).toBeVisible()
  expect(await headline.boundingBox()).toEqual(before)
  await expectAccessibleInBothThemes(page)
  await hint.press('Enter')
  const needsYou = main.getByRole('heading', { name: '1 card needs your answer' })
  await expect(needsYou).toBeVisible()
  await main.getByRole('link', { name: 'See the Offer' }).click()
  const step = main.getByRole('list', { name: 'Progress' }).locator('[aria-current=step]')
  await expect(step).toContainText('Your answer')
  await expect(step).toContainText('Now')
  for (const item of [
    main.getByText(/^Ends in/),
    main.getByRole('button', { name: 'Accept $74.40' }),
    main.getByRole('button', { name: 'Decline' }),
    main.getByText('The card holds $80').first(),
    main.getByText('PayPal, s•••@example.com'),
  ])
    await expect(item).toBeInViewport({ ratio: 1 })
  await main.getByRole('button', { name: 'Open photo 1' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'Photo 1 of 1' })).toHaveJSProperty('complete', true)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await main.getByRole('button', { name: 'Accept $74.40' }).click()
  await dialog.getByRole('button', { name: 'Accept $74.40' }).click()
  await expectToast(page, 'Offer Accepted')
  await expect(step).toContainText('Waiting for you')
  await expect(account).toHaveCount(0)

  await page.goBack()
  await expect(needsYou).toHaveCount(0)
  await expect(main.getByRole('heading', { name: 'Under way' })).toBeVisible()
  await expect(main).toContainText('Your payout waits until you confirm your email')
})

test('the home and the page of a card lead with what the seller can do', async ({ page, staffPage }) => {
  await signedUp(page)
  await asStaff(staffPage)
  const main = page.getByRole('main')
  const rejected = await submitCard(page)
  await move(staffPage, rejected, 'rejected', 'image_glare')
  const asked = await submitCard(page)
  await page.goto('/account')
  await expect(main.getByText('In review, if it is approved')).toBeVisible()
  await expect(main.getByRole('heading', { level: 2 })).toHaveText([
    'A rejected card that you can fix',
    'Under way',
    'Your account',
  ])
  const again = main.getByRole('link', { name: 'Send the Card Again' })
  await expect(again).toHaveAttribute('href', new RegExp(`/sell-card\\?.*resubmissionOf=${rejected}`))

  await page.goto(`/account/card?id=${rejected}`)
  await expect(main.getByText('Rejected. You can fix this and send it again.')).toBeVisible()
  await expect(main).not.toContainText('contact support')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Español' }).click()
  await expect(main).toContainText('Rechazada. Puede corregir el problema y volver a enviarla.')
  await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click()
  const top = async (item: Locator) => (await item.boundingBox())?.y ?? 0
  expect(await top(again)).toBeLessThanOrEqual(await top(main.getByRole('button', { name: 'Appeal' })))

  await move(staffPage, asked, 'under_review', 'Which shop is it from?')
  await page.goto(`/account/card?id=${asked}`)
  const question = main.getByText('Which shop is it from?').first()
  await expect(question).toBeVisible()
  for (const other of ['Confirm your email to be paid', 'Your quote'])
    expect(await top(question)).toBeLessThan(await top(main.getByText(other)))

  const cameBack = await submitCard(page)
  await move(staffPage, cameBack, 'completed')
  await submitCard(page)
  const [payout] = await (await staffPage.request.get(`/api/admin/payouts?q=${cameBack}`)).json()
  const data = { reason: 'No account has this email' }
  const returned = await staffPage.request.post(`/api/admin/payouts/${payout.id}/return`, { data })
  expect(returned.status(), await returned.text()).toBe(200)
  await page.goto('/account')
  // The question's card is not in review.
  await expect(main).toContainText('In review, if it is approved$93.00')
  await expect(main).toContainText('Waits for your answer to our question$93.00')
  const approved = main.getByRole('status').filter({ hasText: 'Approved' })
  await expect(approved).toContainText('$93.00')
  await expect(approved).toContainText('It waits: enter another account')

  await page.goto(`/account/card?id=${cameBack}`)
  await expect(main.getByText('Payout Came Back').first()).toBeVisible()
  expect(await top(main.getByRole('button', { name: 'Enter Another Account' }))).toBeLessThan(
    await top(main.getByText('You will receive')),
  )
  await page.goto('/transactions')
  await expect(main.getByRole('listitem').filter({ hasText: 'Payout Came Back' })).toHaveCount(1)
})

test('the page of a card says where and when the money comes, and lists at once who looked', async ({
  page,
  staffPage,
  database,
}) => {
  const seller = await signedUp(page)
  await database.query('update users set verified = true where id = $1', [seller.id])
  await asStaff(staffPage)
  const id = await submitCard(page)
  const channel = await watchChannel(page)
  await page.goto(`/account/card?id=${id}`)
  await channel.open
  const main = page.getByRole('main')
  const ifApproved = /Expected by \w{3}, \w{3} \d+, if we approve your card without questions\./
  await expect(main).toContainText(/Payout to\s*PayPal, s•••@example\.com/)
  await expect(main).toContainText(ifApproved)
  await expect(main).toContainText('No entries yet.')
  await staffPage.request.post(`/api/admin/submissions/${id}/reveal`)
  await expect(main).toContainText('An owner of the company saw the card number')
  await page.goto(`/confirmation?giftCardId=${id}`)
  await expect(main).toContainText(ifApproved)
  await expect(main).toContainText(/we pay you\. Expect the money by \w{3}, \w{3} \d+\./)
  await move(staffPage, id, 'processing')
  await page.goto(`/account/card?id=${id}`)
  await expect(main).toContainText(/Payout to\s*PayPal, s•••@example\.com\s*Expected by \w{3}, \w{3} \d+/)
  await page.request.put('/api/user/locale', { data: { locale: 'es' } })
  await page.goto(`/es/account/card?id=${id}`)
  await expect(main).toContainText(
    /Llegada prevista: (lunes|martes|miércoles|jueves|viernes|sábado|domingo) \d+ de \w+/,
  )
})
