import { expect, test } from './fixtures.ts'
import { expectAccessibleInBothThemes } from './looks.ts'
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
  await expect(card).toContainText('Your payout waits until you confirm your email')
  await expect(page.getByText('Approved: confirm your email and we will pay you')).toBeVisible()
  await page.getByRole('button', { name: 'Send the link again' }).click()
  await expectToast(page, 'Link Sent')

  await move(staffPage, id, 'completed')
  const row = page.getByRole('listitem').filter({ hasText: 'Completed' })
  await expect(row).toContainText(/By PayPal on \w+ \d+ reference \w{4}/)
  await expect(card).toHaveCount(0)

  const [payout] = await (await staffPage.request.get(`/api/admin/payouts?q=${id}`)).json()
  const data = { reason: 'This account cannot receive payments' }
  const answer = await staffPage.request.post(`/api/admin/payouts/${payout.id}/return`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
  await expect(card).toContainText('Approved, but your payment came back')
  await expect(card).toContainText('This account cannot receive payments')
  await expectAccessibleInBothThemes(page)

  await card.getByRole('button', { name: 'Enter Another Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Where should we send your $93.00?' })
  const send = dialog.getByRole('button', { name: 'Use This Account' })
  await send.click()
  await expect(dialog.getByLabel('Payment method')).toBeFocused()
  await dialog.getByLabel('Payment method').selectOption('Bank Transfer')
  await expect(dialog.getByLabel('Account holder name')).toHaveValue(`${firstName} ${lastName}`)
  await dialog.getByLabel('Account number').fill('000123456789')
  await dialog.getByLabel('Routing number').fill('122105156')
  await send.click()
  await expect(dialog).toContainText('No bank has this routing number')
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Routing number').fill('122105155')
  await send.click()
  await expectToast(page, 'Account Changed', /•••• 6789/)
  await expect(dialog).toHaveCount(0)

  const waits =
    /We will send it to ••••\s6789 after \w+ \d+, \d+:\d+ [AP]M, 24 hours after you changed the account/
  await expect(card).toContainText(waits)
  await page.reload()
  await expect(card).toContainText(waits)
  await card.getByRole('button', { name: 'History' }).click()
  await expect(card.getByRole('list', { name: 'History' })).toContainText('Payout came back')
  await page.getByRole('link', { name: 'Transactions' }).click()
  const sale = page.getByRole('list', { name: /^Your transactions/ }).getByRole('listitem')
  await expect(sale).toContainText(waits)
  await expect(sale).toContainText('Bank Transfer Sally Seller')
  await page.goBack()
  await expect(card).toContainText(waits)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Español' }).click()
  await expect(page.getByRole('main')).toContainText(/Lo enviaremos a ••••\s6789 después del/)
  await expectAccessibleInBothThemes(page)
})

test('a failed payout is on the home until the seller tells us the right account', async ({
  page,
  staffPage,
}) => {
  await signedUp(page)
  await asStaff(staffPage)
  const id = await submitCard(page)
  await move(staffPage, id, 'processing')
  const main = page.getByRole('main')
  await page.goto('/account')
  await expect(main.getByRole('status')).toContainText('Approved, waiting for your email')

  await move(staffPage, id, 'failed', 'payout_name_mismatch')
  await page.reload()
  const row = main.getByRole('listitem').filter({ hasText: 'Your $93.00 is safe with us.' })
  await expect(row).toContainText('Tell us the right account and we will send it again.')
  await expect(main.locator('s')).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await row.getByRole('link', { name: 'Tell Us the Account' }).click()
  const chat = page.getByRole('dialog', { name: 'Support' })
  await expect(chat).toBeVisible()
  await chat.getByRole('button', { name: 'Close' }).click()
  await expect(main).toContainText('The name on the payout account is not the one you gave us.')
  await expect(main).toContainText('Failed')
  await expect(main.locator('s')).toHaveCount(0)
  await expectAccessibleInBothThemes(page)

  await page.goto('/processing')
  await expect(main.getByRole('listitem')).toContainText('Your $93.00 is safe with us.')
  await move(staffPage, id, 'processing')
  await move(staffPage, id, 'failed', 'usage_redeemed')
  await page.goto('/account')
  await expect(main.getByRole('heading', { level: 2 })).toHaveText(['Your account'])
  await page.goto(`/account/card?id=${id}`)
  await expect(main).toContainText('The payment failed, please contact support')
  await expect(main.locator('s')).toHaveText('$93.00')
})
