import { seriousFaults } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { expectToast, forgive, signedUp, TRACE_OF_PICTURES } from './sellers.ts'
import { files, picker, small, submit } from './selling.ts'

test('three cards are quoted and sold together, also when one is lost and one is refused', async ({
  page,
  complaints,
}) => {
  await signedUp(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/get-quote')
  const search = page.getByLabel('Search brands')
  for (const [brand, added] of [['Amazon'], ['Target', true], ['Starbucks', true]] as const) {
    if (added) {
      await page.getByRole('button', { name: 'Add Another Card' }).click()
      await expect(search).toBeFocused()
    }
    await search.fill(brand)
    await page
      .getByRole('region', { name: 'All Brands' })
      .getByRole('button', { name: brand })
      .first()
      .click()
    await page.getByLabel('Card value').fill('100')
  }
  const sell = page.getByRole('button', { name: 'Sell 3 Cards' })
  await expect(sell).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('3 cards, you get')).toContainText('3 cards')
  await expect(page.getByRole('button', { name: 'Remove Target card' })).toBeVisible()
  expect(await seriousFaults(page), 'accessibility').toEqual([])
  await sell.click()
  await expect(page).toHaveURL(/\/sell-card\?sale=[\w-]+$/)
  const saleId = new URL(page.url()).searchParams.get('sale') ?? ''
  await page.getByRole('button', { name: 'Continue to Submission' }).click()

  const card = (brand: string) => page.getByRole('region', { name: brand, exact: true })
  const row = (brand: string) => card(brand).getByRole('heading').getByRole('button')
  await picker(page).setInputFiles({ name: 'card.txt', mimeType: 'text/plain', buffer: Buffer.from('no') })
  await page.getByRole('button', { name: 'Finish Target $100' }).click()
  await expect(row('Target')).toBeFocused()
  await expect(card('Amazon')).toContainText('Only images can be added.')
  expect(await seriousFaults(page), 'accessibility').toEqual([])
  await row('Amazon').click()
  await expect(picker(page)).toBeFocused()

  const damaged = { name: 'card.jpg', mimeType: 'image/jpeg', buffer: (await small()).subarray(0, 100) }
  for (const [index, photos] of [await files(1), damaged, await files(1)].entries()) {
    await page.getByLabel('Card number').fill(`6006 4930 1234 567${index}`)
    await picker(page).setInputFiles(photos)
    await page.getByRole('button', { name: 'Done With This Card' }).click()
  }
  await page.getByLabel('Payment method').selectOption('PayPal')
  await page.getByLabel('Account holder name').fill('Sally Seller')
  await page.getByLabel('Account information').fill('sally@example.com')

  let sent = 0
  // The answer for the first card arrives, the connection is lost during the second.
  await page.route('**/api/gift-cards', async (route) => {
    sent += 1
    if (sent === 2) await route.abort('connectionreset')
    else await route.continue()
  })
  await submit(page).click()
  await expectToast(page, 'Submission Failed')
  await expect(card('Amazon').getByText('Sent')).toBeVisible()
  await expect(card('Target').getByText('Not sent')).toBeVisible()
  expect(await seriousFaults(page), 'accessibility').toEqual([])
  await page.unroute('**/api/gift-cards')

  const again = page.getByRole('button', { name: 'Try Again With 2 Cards' })
  await again.click()
  await expect(card('Starbucks').getByText('Sent')).toBeVisible()
  await expect(card('Target').getByText('Not sent')).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveValue('6006 4930 1234 5671')
  expect(await seriousFaults(page), 'accessibility').toEqual([])
  await page.getByRole('button', { name: /^Remove/ }).click()
  await picker(page).setInputFiles(await files(1))
  await page.getByRole('button', { name: 'Try Again With 1 Card' }).click()
  await expect(page).toHaveURL(`/confirmation?saleId=${saleId}`)
  const stored = await (await page.request.get('/api/user/gift-cards')).json()
  expect(stored.map((one: { saleId: string }) => one.saleId)).toEqual([saleId, saleId, saleId])
  forgive(complaints, TRACE_OF_PICTURES)
  forgive(complaints, /net::ERR_/)
})
