import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectAccessibleInBothThemes } from './looks.ts'
import { expectToast, forgive, signedUp, TRACE_OF_PICTURES } from './sellers.ts'
import { files, picker, small } from './selling.ts'

test('four cards are quoted and sold together, also when an answer is lost and two are refused', async ({
  page,
  complaints,
}) => {
  await signedUp(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/get-quote')
  const search = page.getByLabel('Search brands')
  const add = page.getByRole('button', { name: 'Add Another Card' })
  for (const [brand, added] of [['Amazon'], ['Target', true], ['Target', true], ['Nike', true]] as const) {
    if (added) {
      await add.click()
      await expect(search).toBeFocused()
      await expect(page.getByLabel('Card value')).toBeHidden()
    }
    if (brand === 'Nike') {
      // On phones the calculator is hidden until a brand is chosen.
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.getByLabel('Card value').fill('100')
      const blocked = page.getByRole('button', { name: 'Sell 3 Cards' })
      await expect(blocked).toContainText('Choose a brand first')
      await blocked.click()
      await expect(page.getByText('Please select a valid brand')).toBeVisible()
      await expect(search).toBeFocused()
      await page.setViewportSize({ width: 360, height: 740 })
    }
    await search.fill(brand)
    const found = page.getByRole('region', { name: 'All Brands' }).getByRole('button')
    await expect(found).toHaveText([new RegExp(brand)])
    if (added) await search.press('Enter')
    else await found.click()
    await page.getByLabel('Card value').fill('100')
  }
  const yours = page.getByRole('region', { name: 'Your cards' })
  await expect(yours.getByRole('listitem').first()).toContainText('$100.00 In the calculator above')
  const sell = page.getByRole('button', { name: 'Sell 4 Cards' })
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport)
    for (const button of [add, sell]) await expect(button).toBeInViewport({ ratio: 1 })
    await expectAccessibleInBothThemes(page)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(page.getByText('4 cards, you get')).toContainText('4 cards')
  await expect(page.getByRole('button', { name: 'Remove Target card' }).first()).toBeVisible()
  await sell.click()
  await expect(page).toHaveURL(/\/sell-card\?sale=[\w-]+$/)
  const saleId = new URL(page.url()).searchParams.get('sale') ?? ''
  await page.getByRole('button', { name: 'Continue to Submission' }).click()

  const card = (brand: string) => page.getByRole('region', { name: brand, exact: true })
  const [first, second, third] = [card('Amazon'), card('Target').first(), card('Target').last()]
  const fourth = card('Nike')
  const row = (one: Locator) => one.getByRole('heading').getByRole('button').first()
  await picker(page).setInputFiles({ name: 'card.txt', mimeType: 'text/plain', buffer: Buffer.from('no') })
  await page.getByRole('button', { name: 'Finish Target $100' }).first().click()
  await expect(row(second)).toBeFocused()
  await expect(first).toContainText('Only images can be added.')
  await expectAccessibleInBothThemes(page)
  await row(first).click()
  await expect(picker(page)).toBeFocused()

  const damaged = { name: 'card.jpg', mimeType: 'image/jpeg', buffer: (await small()).subarray(0, 100) }
  const fill = async (index: number, photos: Parameters<Locator['setInputFiles']>[0]) => {
    await page.getByLabel('Card number').fill(`6006 4930 1234 567${index}`)
    await picker(page).setInputFiles(photos)
    await page.getByRole('button', { name: 'Done With This Card' }).click()
  }
  // The fourth card is not finished. The others are sent anyway.
  for (const [index, photos] of [await files(1), damaged, await files(1)].entries()) await fill(index, photos)
  await page.getByLabel('Payment method').selectOption('PayPal')
  await page.getByLabel('Account holder name').fill('Sally Seller')
  await page.getByLabel('Account information').fill('sally@example.com')

  const looked = Promise.withResolvers<void>()
  let sent = 0
  // The connection is lost at the second card, and a proxy refuses the third.
  await page.route('**/api/gift-cards', async (route) => {
    sent += 1
    if (sent === 2) await looked.promise
    if (sent === 2) return route.abort('connectionreset')
    if (sent === 3) return route.fulfill({ status: 413, contentType: 'text/html', body: 'Too large' })
    return route.continue()
  })
  await page.getByRole('button', { name: 'Submit 3 Cards' }).click()
  await expect(first.getByText('Sent', { exact: true })).toBeVisible()
  await expect(second.getByText('Sending...')).toBeVisible()
  await expect(third.getByText('Waiting to be sent')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  looked.resolve()
  await expectToast(page, 'Submission Failed')
  for (const failed of [second, third]) await expect(failed.getByText('Not sent')).toBeVisible()
  await expect(first.getByText('Sent', { exact: true })).toBeVisible()
  expect(sent).toBe(3)
  const safe = page.getByText('You can safely submit again')
  await expect(safe).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.unroute('**/api/gift-cards')

  // The server refuses the photo of the second card and accepts the third one, whose answer is lost.
  await page.route('**/api/gift-cards', async (route) => {
    const isThird = route.request().postDataBuffer()?.includes('6006 4930 1234 5672')
    if (!isThird) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Finish Nike $100' }).click()
  await fill(3, await files(1))
  await page.getByRole('button', { name: 'Try Again With 3 Cards' }).click()
  await expect(third.getByText('Sent', { exact: true })).toBeVisible()
  await expect(second.getByText('Not sent')).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveValue('6006 4930 1234 5671')
  await expect(safe).toHaveCount(0)
  await expectAccessibleInBothThemes(page)
  await page.unroute('**/api/gift-cards')

  await page.reload()
  for (const done of [first, third, fourth])
    await expect(done.getByText('Sent', { exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Sell your card' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Your quote' })).toContainText('1 of 4 cards')
  await expect(page.getByRole('region', { name: 'Your quote' })).toContainText('3 sent')
  await expect(page.getByLabel('Card number')).toHaveValue('6006 4930 1234 5671')
  await page.getByRole('button', { name: 'Remove Photo 1' }).click()
  await picker(page).setInputFiles(await files(1))
  await page.getByRole('button', { name: 'Submit 1 Card' }).click()
  await expect(page).toHaveURL(`/confirmation?saleId=${saleId}`)
  await expect(page.getByRole('region', { name: 'What happens next' }).getByRole('listitem')).toHaveText([
    /We check your cards and photos/,
    /Your payout starts once your email is confirmed and your cards are approved\.$/,
    /the status of a card changes/,
  ])
  const stored = await (await page.request.get('/api/user/gift-cards')).json()
  expect(stored.map((one: { saleId: string }) => one.saleId)).toEqual([saleId, saleId, saleId, saleId])
  expect(stored.map((one: { cardNumber: string }) => one.cardNumber.slice(-4))).toEqual([
    '5671',
    '5673',
    '5672',
    '5670',
  ])
  forgive(complaints, TRACE_OF_PICTURES)
  forgive(complaints, /net::ERR_/)
})

test('a used card among several is sold for its balance, and the others for their quotes', async ({
  page,
}) => {
  await signedUp(page)
  await page.goto('/get-quote')
  for (const brand of ['Amazon', 'Target']) {
    await page.getByLabel('Search brands').fill(brand)
    await page.getByRole('region', { name: 'All Brands' }).getByRole('button', { name: brand }).click()
    await page.getByLabel('Card value').fill('100')
    if (brand === 'Amazon') await page.getByRole('button', { name: 'Add Another Card' }).click()
  }
  await page.getByRole('button', { name: 'Sell 2 Cards' }).click()
  await page.getByRole('button', { name: 'Continue to Submission' }).click()
  const quote = page.getByRole('region', { name: 'Your quote' })
  const total = quote.getByRole('status')
  const balance = page.getByLabel('Balance left on the card')
  const done = page.getByRole('button', { name: 'Done With This Card' })
  const encoder = Promise.withResolvers<void>()
  await page.route('**/assets/encode-*.js', async (route) => {
    await encoder.promise
    await route.continue()
  })
  for (const [index, brand] of ['Amazon', 'Target'].entries()) {
    await page.getByLabel('Partially Used').check()
    await expect(total).toContainText(index === 0 ? '$91.00' : '$55.80')
    await balance.fill('60')
    const number = page.getByLabel('Card number')
    await number.fill('6006 4930 1234 5670')
    if (brand === 'Target') {
      await expect(number).toHaveAccessibleDescription(/^Another card of this sale has the same number/)
      await number.fill('6006 4930 1234 5671')
      await page.getByLabel('Brand New').check()
    }
    await picker(page).setInputFiles(await files(1))
    // A photo that is being prepared is not a missing one.
    if (index === 0) await expect(done).toBeDisabled()
    encoder.resolve()
    await done.click()
    // The sum is that of the cards that the button submits.
    await expect(total).toContainText(index === 0 ? '$55.80' : '$146.80')
    await expect(quote.getByText('1 of 2 cards')).toHaveCount(index === 0 ? 1 : 0)
    await expect(page.getByText('The other card stays here until you fill it in.')).toHaveCount(
      index === 0 ? 1 : 0,
    )
  }
  await page.reload()
  await expect(total).toContainText('$146.80')
  await page.getByLabel('Payment method').selectOption('PayPal')
  await page.getByLabel('Account information').fill('sally@example.com')
  await page.getByRole('button', { name: 'Submit 2 Cards' }).click()
  await expect(page).toHaveURL(/\/confirmation/)
  const stored: Record<string, string>[] = await (await page.request.get('/api/user/gift-cards')).json()
  expect(stored.map(({ brand, denomination, sellingPrice }) => [brand, denomination, sellingPrice])).toEqual([
    ['target', '100.00', '91.00'],
    ['amazon', '60.00', '55.80'],
  ])
})

test('a list of one card is sold like one card', async ({ page }) => {
  await signedUp(page)
  await page.goto('/get-quote?brand=amazon')
  await page.getByLabel('Card value').fill('100')
  await page.getByRole('button', { name: 'Add Another Card' }).click()
  await page.getByRole('button', { name: 'Sell 1 Card' }).click()
  await page.getByRole('button', { name: 'Continue to Submission' }).click()
  await page.getByLabel('Card number').fill('6006 4930 1234 5670')
  await expect(page.getByRole('button', { name: 'Done With This Card' })).toHaveCount(0)
  await picker(page).setInputFiles(await files(1))
  await page.getByLabel('Payment method').selectOption('PayPal')
  await page.getByLabel('Account holder name').fill('Sally Seller')
  await page.getByLabel('Account information').fill('sally@example.com')
  await page.getByRole('button', { name: 'Submit for Review' }).click()
  await expect(page).toHaveURL(/\/confirmation\?saleId=/)
  await expect(page.getByRole('heading', { name: 'Your card is in review' })).toBeVisible()
  await expect(page.getByText('Your quote', { exact: true })).toBeVisible()
})

test('a card whose date has passed is not shown as ready', async ({ page }) => {
  await signedUp(page)
  await page.goto('/get-quote?brand=amazon')
  await page.getByLabel('Card value').fill('100')
  await page.getByRole('button', { name: 'Add Another Card' }).click()
  await page.getByLabel('Search brands').fill('Target')
  await page.getByRole('region', { name: 'All Brands' }).getByRole('button', { name: 'Target' }).click()
  await page.getByLabel('Card value').fill('100')
  await page.getByRole('button', { name: 'Sell 2 Cards' }).click()
  await page.getByRole('button', { name: 'Continue to Submission' }).click()
  await page.getByLabel('Card number').fill('6006 4930 1234 5670')
  await picker(page).setInputFiles(await files(1))
  const card = page.getByRole('region', { name: 'Amazon', exact: true })
  await expect(card.getByText('Ready', { exact: true })).toBeVisible()
  await page.getByLabel('Expiration date').fill('01/24')
  await expect(card.getByText('Filled in, but please check the date')).toBeVisible()
  await expect(card.getByText('Ready', { exact: true })).toHaveCount(0)
})
