import type { Page, Route } from '@playwright/test'
import { appSettled, expect, test } from './fixtures.ts'
import { openLine, slowDown } from './line.ts'
import { phonePhoto } from './photos.ts'
import { expectToast, forgive, signedUp } from './sellers.ts'
import { amazon, fillIn, picker, submit, toForm } from './selling.ts'

const KILOBYTE = 1024

/** Collects the keys of all submissions. */
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

test('a slow upload shows true progress, and retries with the same key', async ({
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
  await submit(page).focus()
  await expect(submit(page)).toBeFocused()
  await page.keyboard.press('Enter')

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
  // The page may still fetch something, which would fail without the line.
  await page.close()
  line.close()
  forgive(complaints, /net::ERR_|WebSocket/)
})

test('shows the confirmation of a card that was first submitted without a connection', async ({
  page,
  context,
  complaints,
}) => {
  await readyToSend(page)
  await appSettled(page)
  await context.setOffline(true)
  await submit(page).click()
  await expectToast(page, 'Submission Failed', 'We could not be reached')
  await context.setOffline(false)
  await submit(page).click()
  await expect(page).toHaveURL(/\/confirmation\?/)
  await expect(page.getByRole('heading', { name: 'Your card is in review' })).toBeVisible()
  expect(await cards(page)).toBe(1)
  forgive(complaints, /net::ERR_|WebSocket/)
})

test('loads the confirmation anew if its script failed, and says that the card was sent if it fails again', async ({
  page,
  complaints,
}) => {
  const script = /\/assets\/Confirmation-/
  await page.route(script, (route) => route.fulfill({ status: 404 }))
  await readyToSend(page)
  await submit(page).click()
  await expect(page).toHaveURL(/\/confirmation\?/)
  await expect(
    page.getByText('Your card was sent. Reload to see the confirmation.', { exact: true }),
  ).toBeVisible()
  await page.unroute(script)
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByRole('heading', { name: 'Your card is in review' })).toBeVisible()
  forgive(complaints, /Failed to fetch dynamically imported module|404/)
})

test('a lost response does not cause a second submission', async ({ page, complaints }) => {
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
  // The address changes before the screen, and the form still shows the amount twice.
  await expect(page.getByText('Pending Review')).toBeVisible()
  await expect(page.getByRole('main').getByText('$93.00')).toBeVisible()
  expect(await cards(page)).toBe(1)
  forgive(complaints, /net::ERR_|WebSocket/)
})

test('canceling during the upload submits nothing', async ({ page }) => {
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

/** Submits, but loses the response. */
async function loseTheAnswer(page: Page): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route('**/api/gift-cards', lose, { times: 1 })
  await submit(page).click()
  await expect.poll(() => cards(page)).toBe(1)
  await expect(page.getByText('your card is never submitted twice')).toBeVisible()
}

test('a draft keeps its key across the quote step and a reload', async ({ page, complaints }) => {
  await readyToSend(page)
  const keys = keysOf(page)
  await page.route('**/api/gift-cards', (route) => route.abort(), { times: 1 })
  await submit(page).click()
  await expectToast(page, 'Submission Failed')
  await page.getByRole('button', { name: 'Back to Quote' }).click()
  await page.getByRole('button', { name: 'Continue to Submission' }).click()
  await loseTheAnswer(page)
  await page.reload()
  await expect(page.getByLabel('Card number')).toHaveValue('6006 4930 1234 5678')
  await expect(submit(page)).not.toHaveAttribute('aria-disabled')
  await submit(page).click()
  await expect.poll(() => keys.length).toBe(3)
  expect(new Set(keys).size).toBe(1)
  await expect(page.getByText(/Pending Review|You already submitted this form/)).toBeVisible()
  expect(await cards(page)).toBe(1)
  forgive(complaints, /net::ERR_|WebSocket/)
})

test('a change after a lost response does not cause a second submission', async ({ page, complaints }) => {
  await readyToSend(page)
  await loseTheAnswer(page)
  await page.getByRole('button', { name: 'Back to Quote' }).click()
  await page.getByRole('button', { name: 'Continue to Submission' }).click()
  await page.getByLabel('Notes').fill('A birthday present')
  await submit(page).click()
  await expect(page.getByText('You already submitted this form')).toBeVisible()
  expect(await cards(page)).toBe(1)

  await page.getByRole('link', { name: 'View Submission' }).click()
  await expect(page.getByRole('region', { name: 'Amazon card' })).toBeVisible()
  await toForm(page, amazon)
  await expect(page.getByLabel('Notes')).toHaveValue('')
  forgive(complaints, /net::ERR_|WebSocket/)
})

test('a submission that staff have removed is only made again if the seller asks for it', async ({
  page,
  complaints,
}) => {
  await readyToSend(page)
  const keys = keysOf(page)
  const json = { code: 'submission_cleared', message: 'Our team has removed the submission.' }
  await page.route('**/api/gift-cards', (route) => route.fulfill({ status: 409, json }), { times: 1 })
  await submit(page).click()
  const notice = page.getByRole('alert').filter({ hasText: 'Your submission was removed' })
  await expect(notice).toContainText(json.message)
  await notice.getByRole('button', { name: 'Start a New Submission' }).click()
  await expect(notice).toBeHidden()
  await submit(page).click()
  await expect(page.getByText('Pending Review')).toBeVisible()
  expect(new Set(keys).size).toBe(2)
  forgive(complaints, /409/)
})

test('a draft with a used key can be submitted as a different card', async ({ page, complaints }) => {
  await readyToSend(page)
  await loseTheAnswer(page)
  await page.getByLabel('Card number').fill('6006 4930 8765 4321')
  await submit(page).click()
  await expect(page.getByText('You already submitted this form')).toBeVisible()
  expect(await cards(page)).toBe(1)

  await page.getByRole('button', { name: 'This Is a Different Card' }).click()
  await expect(page.getByLabel('Card number')).toHaveValue('6006 4930 8765 4321')
  await submit(page).click()
  await expect(page.getByText('Pending Review')).toBeVisible()
  expect(await cards(page)).toBe(2)
  await toForm(page, amazon)
  await expect(page.getByLabel('Card number')).toHaveValue('')
  forgive(complaints, /net::ERR_|WebSocket/)
})

test('leaving while the photos are checked neither cancels nor submits twice', async ({ page }) => {
  const hold = async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(
      '**/api/gift-cards',
      async (route) => {
        const response = await route.fetch()
        await released
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    await submit(page).click()
    await expect(page.getByText(/Uploading your photos|Checking your photos/)).toBeVisible()
    await expect.poll(() => cards(page)).toBeGreaterThan(0)
    return release
  }
  await readyToSend(page)
  const first = await hold()
  await page.goBack()
  await expect(page.getByText('Your card is being submitted')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue to Submission' })).toHaveCount(0)
  first()
  await expect(page).toHaveURL(/\/confirmation\?transactionId=.+&giftCardId=.+/)
  await expect(page.getByText('Pending Review')).toBeVisible()
  expect(await cards(page)).toBe(1)

  await toForm(page, amazon)
  await expect(page.getByLabel('Card number')).toHaveValue('')
  await fillIn(page)
  const buffer = await phonePhoto()
  await picker(page).setInputFiles({ name: 'IMG_0042.jpg', mimeType: 'image/jpeg', buffer })
  await expect(submit(page)).not.toHaveAttribute('aria-disabled')
  const second = await hold()
  await page.getByRole('link', { name: 'Help Center' }).click()
  await expect(page).toHaveURL(/\/help$/)
  second()
  await expectToast(page, 'Gift Card Submitted!')
  await expect(page).toHaveURL(/\/help$/)
  expect(await cards(page)).toBe(2)
})
