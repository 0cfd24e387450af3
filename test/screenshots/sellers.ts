import type { Page } from '@playwright/test'
import { drawCard } from './scene.ts'
import type { Shot } from './shots.ts'

const visa = '/sell-card?brand=visa&value=200&quote=182'
const visaForm = `${visa}&step=2`

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
}

/** Presses a button that says what is missing. */
async function pressAnyway(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name })
  await button.focus()
  await button.press('Enter')
}

const failing = (calls: string) => async (page: Page) => {
  await page.route(calls, (route) => route.abort())
}
/** Calls that are never answered. */
const waiting = (calls: string) => async (page: Page) => {
  await page.route(calls, () => {})
}

const front = async () => ({
  name: 'front.jpg',
  mimeType: 'image/jpeg',
  buffer: await drawCard('Visa', '#17324d', '4000 1234 5678 9010'),
})
/** As most browsers take a HEIC photo: they can't show it. */
const back = { name: 'IMG_0042.HEIC', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') }

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Card number').fill('4000 1234 5678 9010')
  await page.getByLabel('Expiration date').fill('12/30')
  await page.locator('input[name=images]').setInputFiles([await front(), back])
  await page.getByLabel('Payment method').selectOption('Bank Transfer')
  await page.getByLabel('Account holder name').fill('Sally Seller')
  await page.getByLabel('Routing number').fill('123456789')
  await page.getByLabel('Account number').fill('000123456789')
  await page.getByRole('button', { name: 'Rotate Front' }).waitFor()
}

const sendUntil = (text: string) => async (page: Page) => {
  await fillIn(page)
  await press('Submit for Review')(page)
  await page.getByText(text).first().waitFor()
}

async function inCard(page: Page, text: string, button: string): Promise<void> {
  const card = page.getByRole('region', { name: /card$/ }).filter({ hasText: text }).first()
  await card.getByRole('button', { name: button }).click()
}

export const sellerShots: readonly Shot[] = [
  { name: 'sell-card', as: 'seller', path: visa },
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
    name: 'sell-card-failed',
    as: 'seller',
    path: visaForm,
    before: failing('**/api/gift-cards'),
    act: sendUntil('Submission Failed'),
  },
  { name: 'sell-card-saved-method', as: 'longwinded', path: '/sell-card?brand=amazon&value=100&step=2' },
  {
    name: 'confirmation',
    as: 'seller',
    path: ({ pendingCard }) =>
      `/confirmation?transactionId=01890000-0000-7000-8000-000000000000&giftCardId=${pendingCard}`,
  },
  { name: 'transactions', as: 'seller', path: '/transactions' },
  { name: 'transactions-empty', as: 'newcomer', path: '/transactions' },
  { name: 'transactions-long', as: 'longwinded', path: '/transactions' },
  {
    name: 'transactions-failed',
    as: 'seller',
    path: '/transactions',
    before: failing('**/api/{my-transactions,user/earnings}*'),
  },
  {
    name: 'transactions-loading',
    as: 'seller',
    path: '/transactions',
    before: waiting('**/api/{my-transactions,user/earnings}*'),
  },
  { name: 'processing', as: 'seller', path: '/processing' },
  { name: 'processing-empty', as: 'newcomer', path: '/processing' },
  { name: 'processing-long', as: 'longwinded', path: '/processing' },
  {
    name: 'processing-loading',
    as: 'seller',
    path: '/processing',
    before: waiting('**/api/user/gift-cards*'),
  },
  {
    name: 'processing-history',
    as: 'seller',
    path: '/processing',
    act: async (page) => {
      await inCard(page, 'We have a question', 'History')
      await page.getByRole('list', { name: 'History' }).waitFor()
    },
  },
  {
    name: 'processing-answer',
    as: 'seller',
    path: '/processing',
    framed: true,
    act: async (page) => {
      await inCard(page, 'We have a question', 'Answer')
      await page.getByRole('dialog').getByLabel('Your answer').fill('Here is the receipt.')
      await page.locator('input[name=images]').setInputFiles(await front())
      await page.getByRole('button', { name: /^Rotate/ }).waitFor()
    },
  },
  {
    name: 'processing-withdraw',
    as: 'seller',
    path: '/processing',
    framed: true,
    act: (page) => inCard(page, 'Your card is being reviewed', 'Withdraw'),
  },
  { name: 'profile', as: 'longwinded', path: '/profile' },
  { name: 'profile-empty', as: 'newcomer', path: '/profile' },
  {
    name: 'profile-refused',
    as: 'newcomer',
    path: '/profile',
    act: async (page) => {
      await page.getByLabel('First name').fill('')
      await page.getByLabel('Email').fill('nobody')
      await press('Save Changes')(page)
      await press('Change Password')(page)
    },
  },
  {
    name: 'profile-add-method',
    as: 'newcomer',
    path: '/profile',
    framed: true,
    act: async (page) => {
      await press('Add Payment Method')(page)
      await page.getByLabel('Payment method type').selectOption('Bank Transfer')
      await page.getByLabel('Routing number').fill('123456789')
      await page.getByRole('dialog').getByRole('button', { name: 'Add Payment Method' }).click()
    },
  },
  {
    name: 'profile-delete-method',
    as: 'longwinded',
    path: '/profile',
    framed: true,
    act: press(/^Delete PayPal/),
  },
  {
    name: 'support-chat-empty',
    as: 'newcomer',
    path: '/transactions',
    framed: true,
    act: async (page) => {
      await press(/^Support chat/)(page)
      await page.getByText('How can we help?').waitFor()
    },
  },
  {
    name: 'support-chat',
    as: 'longwinded',
    path: '/transactions',
    framed: true,
    act: async (page) => {
      await press(/^Support chat/)(page)
      await page.getByText('Waiting for agent response').waitFor()
    },
  },
  {
    name: 'support-chat-failed',
    as: 'newcomer',
    path: '/transactions',
    framed: true,
    act: async (page) => {
      await page.route('**/api/chat/messages', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      )
      await press(/^Support chat/)(page)
      await page.getByLabel('Your message').fill('Is anybody there?')
      await page.getByLabel('Your message').press('Enter')
      await page.getByText('Not sent').waitFor()
    },
  },
]
