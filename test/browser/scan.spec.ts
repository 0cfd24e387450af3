import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Request } from '@playwright/test'
import sharp from 'sharp'
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer'
import { expect, test } from './fixtures.ts'
import { signedUp } from './sellers.ts'
import { amazon, picker, toForm } from './selling.ts'

const NUMBER = '6035718312344821'

/** A barcode on a tilted card. */
async function cardWith(format: WriteInputBarcodeFormat, text: string) {
  const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(wasm)).buffer } })
  const { svg } = await writeBarcode(text, { format })
  const buffer = await sharp(Buffer.from(svg), { density: 300 })
    .resize({ width: 700, kernel: 'nearest' })
    .extend({ top: 200, bottom: 250, left: 150, right: 150, background: '#eef0e6' })
    .rotate(30, { background: '#705a3c' })
    .flatten()
    .jpeg()
    .toBuffer()
  return { name: `${format}.jpg`, mimeType: 'image/jpeg', buffer }
}

test('sellers can use the number in the barcode on a photo, which stays in the browser', async ({ page }) => {
  await signedUp(page)
  await toForm(page, amazon)
  const sent: Request[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request)
  })
  // Until the test ends: the first photo is read in the meantime.
  const worker = page.waitForResponse(/\/assets\/scan-worker-/, { timeout: 0 })
  const field = page.getByLabel('Card number')
  const status = page.getByRole('status').filter({ hasText: /(the|your) photo/i })

  // A product code is no card number.
  await picker(page).setInputFiles(await cardWith('UPCA', '041220000005'))
  await page.getByRole('button', { name: 'Read the Number From a Photo' }).click()
  await expect(status).toContainText('We could not read a card number')

  // Once used, it reads further photos without being asked.
  await picker(page).setInputFiles(await cardWith('Code128', NUMBER))
  await expect(status).toContainText('6035 7183 1234 4821')
  await expect(field).toHaveValue('')
  await page.getByRole('button', { name: 'Use this number' }).click()
  await expect(field).toHaveValue('6035 7183 1234 4821')
  await expect(status).toContainText('The photo shows the same number.')

  await field.fill('6035 7183 1234 4812')
  await expect(status).toContainText('The photo shows a number that ends in 4821. Check your number.')

  const policy = (await worker).headers()['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('connect-src')
  expect(sent.map((request) => request.url())).toEqual([])
})
