import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openLine, slowDown } from './line.ts'
import { phonePhoto } from './photos.ts'
import { expectToast, forgive, signedUp } from './sellers.ts'
import { amazon, fillIn, picker, submit, toForm } from './selling.ts'

const KILOBYTE = 1024

/** Hears which keys the submissions carry. */
function keysOf(page: Page): string[] {
  const keys: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/gift-cards')) {
      keys.push(request.headers()['idempotency-key'] ?? '')
    }
  })
  return keys
}

async function readyToSend(page: Page, site = '') {
  await signedUp(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await toForm(page, site + amazon)
  await fillIn(page)
  const buffer = await phonePhoto()
  await picker(page).setInputFiles({ name: 'IMG_0042.jpg', mimeType: 'image/jpeg', buffer })
  await expect(submit(page)).toHaveText('Submit for Review')
  await expect(submit(page)).not.toHaveAttribute('aria-disabled')
}

const cards = async (page: Page) => (await (await page.request.get('/api/user/gift-cards')).json()).length

test('on a slow line the progress is true, and what broke off is sent again as the same', async ({
  page,
  site,
  complaints,
}) => {
  const line = await openLine(site)
  await readyToSend(page, line.address)
  const keys = keysOf(page)
  const atFullSpeed = await slowDown(page, 100 * KILOBYTE)
  await submit(page).dblclick()
  const progress = page.getByRole('progressbar', { name: 'Upload', exact: true })
  const share = () => progress.evaluate((bar: HTMLProgressElement) => bar.value)
  await expect.poll(share).toBeGreaterThan(0.05)
  expect(await share()).toBeLessThan(1)
  await expect(page.getByText(/^Uploading your photos, \d+%$/)).toBeVisible()
  await expect(submit(page)).toBeDisabled()

  line.cut()
  await expectToast(
    page,
    'Submission Failed',
    'We could not be reached. Check your connection and try again.',
  )
  await expect(page.getByText('your card is never submitted twice')).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveValue('6006 4930 1234 5678')
  line.mend()
  await atFullSpeed()
  await submit(page).click()
  await expect(page.getByText('Pending Review')).toBeVisible()
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  expect(await cards(page)).toBe(1)
  line.close()
  forgive(complaints, /net::ERR_|WebSocket/)
})

test('an answer that got lost makes no second submission', async ({ page, complaints }) => {
  await readyToSend(page)
  await page.route('**/api/gift-cards', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await submit(page).click()
  await expectToast(page, 'Submission Failed')
  expect(await cards(page)).toBe(1)
  await page.unroute('**/api/gift-cards')
  await submit(page).click()
  await expect(page).toHaveURL(/\/confirmation\?transactionId=.+&giftCardId=.+/)
  // The address changes before the screen does, and the form before it shows the amount twice.
  await expect(page.getByText('Pending Review')).toBeVisible()
  await expect(page.getByRole('main').getByText('$93.00')).toBeVisible()
  expect(await cards(page)).toBe(1)
  forgive(complaints, /net::ERR_|WebSocket/)
})

test('whoever cancels during the upload has submitted nothing', async ({ page }) => {
  await readyToSend(page)
  await slowDown(page, 100 * KILOBYTE)
  const stopped = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/gift-cards'))
  await submit(page).click()
  await expect(page.getByText(/^Uploading your photos/)).toBeVisible()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await stopped
  await expect(page).toHaveURL(/\/get-quote$/)
  expect(await cards(page)).toBe(0)
})
