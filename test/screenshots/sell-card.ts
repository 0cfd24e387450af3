import type { Page } from '@playwright/test'
import { drawFront } from '#demo/draw-card.ts'
import { failing, keptRate, waiting } from './calls.ts'
import { press } from './press.ts'
import type { Shot } from './shots.ts'

const visa = '/sell-card?brand=visa&value=200&quote=182'
const visaForm = `${visa}&step=2`

/** Presses a button that says what is missing. */
async function pressAnyway(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name })
  await button.focus()
  await button.press('Enter')
}

export const front = async () => ({
  name: 'front.jpg',
  mimeType: 'image/jpeg',
  buffer: await drawFront({ brandName: 'Visa', number: '4000 1234 5678 9010', seed: 3 }),
})
/** A HEIC photo, which most browsers cannot show. */
const back = { name: 'IMG_0042.HEIC', mimeType: 'image/heic', buffer: Buffer.from('\0\0\0\x18ftypheic') }

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Card number').fill('4000 1234 5678 9010')
  await page.getByLabel('Expiration date').fill('12/30')
  await page.locator('input[name=images]').setInputFiles([await front(), back])
  await page.getByLabel('Payment method').selectOption('Bank Transfer')
  await page.getByLabel('Account holder name').fill('Sally Seller')
  await page.getByLabel('Routing number').fill('021000021')
  await page.getByLabel('Account number').fill('000123456789')
  await page.getByRole('button', { name: 'Rotate Front' }).waitFor()
}

const sendUntil = (text: string) => async (page: Page) => {
  await fillIn(page)
  await press('Submit for Review')(page)
  await page.getByText(text).first().waitFor()
}

export const sellCardShots: readonly Shot[] = [
  { name: 'sell-card', as: 'seller', path: visa },
  { name: 'sell-card-rate-changed', as: 'seller', path: visa, before: keptRate('visa', 9200) },
  {
    name: 'sell-card-rate-changed-form',
    as: 'seller',
    path: visaForm,
    before: keptRate('visa', 9200),
    framed: true,
    act: (page) => page.getByRole('button', { name: 'Accept $182.00' }).scrollIntoViewIfNeeded(),
  },
  { name: 'sell-card-unlisted', as: 'seller', path: '/sell-card?brand=corner_shop&value=40&quote=34' },
  { name: 'sell-card-out-of-bounds', as: 'seller', path: '/sell-card?brand=amazon&value=5&quote=5000' },
  { name: 'sell-card-no-brand', as: 'seller', path: '/sell-card' },
  { name: 'sell-card-form', as: 'seller', path: visaForm },
  {
    name: 'sell-card-refused',
    as: 'seller',
    path: visaForm,
    act: (page) => pressAnyway(page, /^Upload/),
  },
  { name: 'sell-card-filled', as: 'seller', path: visaForm, act: fillIn },
  {
    name: 'sell-card-sending',
    as: 'seller',
    path: visaForm,
    before: waiting('**/api/gift-cards'),
    act: sendUntil('Submitting...'),
  },
  {
    name: 'sell-card-sending-back',
    as: 'seller',
    path: visa,
    before: waiting('**/api/gift-cards'),
    act: async (page) => {
      await press('Continue to Submission')(page)
      await sendUntil('Submitting...')(page)
      await page.goBack()
      await page.getByText('Your card is being submitted').waitFor()
    },
  },
  {
    name: 'sell-card-submitted-before',
    as: 'seller',
    path: visaForm,
    before: async (page) => {
      const refusal = { status: 409, json: { code: 'key_reused', message: 'Used before' } }
      await page.route('**/api/gift-cards', (route) => route.fulfill(refusal))
    },
    act: sendUntil('You already submitted this form'),
  },
  {
    name: 'sell-card-failed',
    as: 'seller',
    path: visaForm,
    before: failing('**/api/gift-cards'),
    act: sendUntil('Submission Failed'),
  },
  {
    name: 'sell-card-photos-refused',
    as: 'seller',
    path: visaForm,
    act: async (page) => {
      const { buffer } = await front()
      const many = Array.from({ length: 30 }, (_, at) => ({
        name: `${at}.jpg`,
        mimeType: 'image/jpeg',
        buffer,
      }))
      await page.locator('input[name=images]').setInputFiles(many)
      await page.getByText('20 more were left out').waitFor()
      await page
        .getByRole('button', { name: /^Rotate/ })
        .nth(9)
        .waitFor()
    },
  },
  {
    name: 'sell-card-no-images',
    as: 'seller',
    path: visaForm,
    act: async (page) => {
      const papers = Array.from({ length: 30 }, (_, at) => ({
        name: `${at}.pdf`,
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF'),
      }))
      await page.locator('input[name=images]').setInputFiles(papers)
      await page.getByText('Only images can be added').waitFor()
    },
  },
  {
    name: 'sell-card-session-loading',
    as: 'seller',
    path: visa,
    before: waiting('**/api/auth/me'),
  },
  { name: 'sell-card-saved-method', as: 'longwinded', path: '/sell-card?brand=amazon&value=100&step=2' },
]
