import type { Page } from '@playwright/test'
import sharp from 'sharp'

/** Amazon needs one photo; Visa needs both sides and an expiration date. */
export const amazon = '/sell-card?brand=amazon&value=100&quote=93.00'
export const visa = '/sell-card?brand=visa&value=200&quote=182.00'

export const small = (width = 320, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: '#705a3c' } })
    .jpeg()
    .toBuffer()

let sets = 0

/** Photos of a size that no other call has, because the form takes a file of the same name and size only once. */
export async function files(count: number) {
  sets += 1
  const buffer = Buffer.concat([await small(), Buffer.alloc(sets)])
  return Array.from({ length: count }, (_, index) => ({
    name: `card ${index + 1}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
  }))
}

export const picker = (page: Page) => page.locator('input[type=file][name=images]')
export const submit = (page: Page) => page.getByRole('main').locator('button[type=submit]')

export async function toForm(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('button', { name: 'Continue to Submission' }).click()
}

/** Fills in all that an Amazon card needs except its photo. */
export async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Card number').fill('6006 4930 1234 5678')
  await page.getByLabel('Payment method').selectOption('PayPal')
  await page.getByLabel('Account holder name').fill('Sally Seller')
  await page.getByLabel('Account information').fill('sally@example.com')
}
