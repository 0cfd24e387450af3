import type { Page } from '@playwright/test'
import type { SellerPayout, SellerSubmission } from '#contract/submissions.ts'
import { files } from '../browser/selling.ts'
import { failing, waiting } from './calls.ts'
import { press } from './press.ts'
import { front, sellCardShots } from './sell-card.ts'
import type { Shot } from './shots.ts'

async function inCard(page: Page, text: string, button: string): Promise<void> {
  const card = page.getByRole('region', { name: /card$/ }).filter({ hasText: text }).first()
  await card.getByRole('button', { name: button }).click()
}

const PROBLEM =
  'This saved account cannot be used. Please remove it and add it again. Please enter an @handle, an email address or a US phone number.'

async function bounced(page: Page): Promise<void> {
  await page.route('**/api/user/home', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), bouncedEmail: 's•••@example.com' } })
  })
}

const confirmation: Pick<Shot, 'as' | 'path'> = {
  as: 'seller',
  path: ({ pendingCard }) =>
    `/confirmation?transactionId=01890000-0000-7000-8000-000000000000&giftCardId=${pendingCard}`,
}

/** The card at a step of a decision without a person, which only sellers with a confirmed address get. */
const inProgress = (step: string, text: string, progress: Partial<SellerSubmission>): Shot => ({
  ...confirmation,
  name: `confirmation-${step}`,
  before: async (page) => {
    await page.route('**/api/user/gift-cards*', async (route) => {
      const response = await route.fetch()
      const cards: SellerSubmission[] = await response.json()
      const amazon = { brandName: 'Amazon', denomination: '100.00', sellingPrice: '93.00' }
      await route.fulfill({ response, json: cards.map((card) => ({ ...card, ...amazon, ...progress })) })
    })
    await page.route('**/api/auth/me', async (route) => {
      const response = await route.fetch()
      const { user } = await response.json()
      await route.fulfill({ response, json: { user: { ...user, verified: true, mustConfirmEmail: false } } })
    })
  },
  act: (page) => page.getByRole('status').filter({ hasText: text }).waitFor(),
})

const instant = { status: 'processing', checkedAutomatically: true } as const
const sentPayout: SellerPayout = {
  ...{ state: 'sent', amount: '93.00', deducted: '0.00', paymentType: 'paypal', account: 's•••@example.com' },
  ...{
    reference: '8F2K',
    isConfirmed: false,
    together: null,
    sentAt: '2026-11-18T15:00:00.000Z',
    expectedOn: null,
    paidAt: null,
  },
  ...{ returnReason: null, needsAccount: false, mayCorrectName: false, waitsUntil: null, isUnclaimed: false },
}

export const sellerShots: readonly Shot[] = [
  ...sellCardShots,
  { name: 'confirmation', ...confirmation },
  inProgress('checking', 'Checking', { balanceCheck: { state: 'checking', amount: null } }),
  inProgress('found', 'found', { balanceCheck: { state: 'found', amount: '100.00' } }),
  inProgress('approved', 'Approved', instant),
  inProgress('on-its-way', 'On its way', { ...instant, payout: sentPayout }),
  { name: 'transactions', as: 'seller', path: '/transactions' },
  { name: 'transactions-empty', as: 'newcomer', path: '/transactions' },
  { name: 'transactions-long', as: 'longwinded', path: '/transactions' },
  { name: 'transactions-many', as: 'busy', path: '/transactions' },
  {
    name: 'transactions-many-end',
    as: 'busy',
    path: '/transactions',
    framed: true,
    act: async (page) => {
      for (const shown of [100, 150]) {
        await press('Load more')(page)
        await page.getByText(`Showing ${shown} of 200`).waitFor()
      }
      await page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'transactions-failed',
    as: 'seller',
    path: '/transactions',
    before: failing('**/api/{my-transactions,user/earnings}*'),
    act: (page) => page.getByRole('alert').first().waitFor(),
  },
  {
    name: 'transactions-loading',
    as: 'seller',
    path: '/transactions',
    before: waiting('**/api/{my-transactions,user/earnings}*'),
    act: (page) => page.locator('.animate-breathe').nth(1).waitFor(),
  },
  { name: 'processing', as: 'seller', path: '/processing' },
  { name: 'processing-empty', as: 'newcomer', path: '/processing' },
  { name: 'processing-long', as: 'longwinded', path: '/processing' },
  { name: 'processing-many', as: 'busy', path: '/processing' },
  {
    name: 'processing-failed',
    as: 'seller',
    path: '/processing',
    before: failing('**/api/user/gift-cards*'),
    act: (page) => page.getByRole('alert').first().waitFor(),
  },
  {
    name: 'processing-loading',
    as: 'seller',
    path: '/processing',
    before: waiting('**/api/user/gift-cards*'),
    act: (page) => page.locator('.animate-breathe').nth(1).waitFor(),
  },
  {
    name: 'processing-history',
    as: 'seller',
    path: '/processing',
    act: async (page) => {
      await inCard(page, 'We need this from you', 'History')
      await page.getByRole('list', { name: 'History' }).waitFor()
    },
  },
  {
    name: 'processing-answer',
    as: 'seller',
    path: '/processing',
    framed: true,
    act: async (page) => {
      await inCard(page, 'We need this from you', 'Answer')
      await page.getByRole('dialog').getByLabel('Your answer').fill('Here is the receipt.')
      await page.locator('input[name=images]').setInputFiles(await front())
      await page.getByRole('button', { name: /^Rotate/ }).waitFor()
    },
  },
  {
    name: 'processing-answer-discard',
    as: 'seller',
    path: '/processing',
    framed: true,
    act: async (page) => {
      await inCard(page, 'We need this from you', 'Answer')
      await page.getByRole('dialog').getByLabel('Your answer').fill('Here is the receipt.')
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').waitFor()
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
  {
    name: 'profile-loading',
    as: 'seller',
    path: '/profile',
    before: waiting('**/api/payment-methods'),
    act: (page) => page.locator('.animate-breathe').first().waitFor(),
  },
  {
    name: 'profile-failed',
    as: 'seller',
    path: '/profile',
    before: failing('**/api/payment-methods'),
    act: (page) => page.getByRole('alert').first().waitFor(),
  },
  {
    name: 'profile-method-problem',
    as: 'longwinded',
    path: '/profile',
    // Only methods saved before accounts were validated have this problem.
    before: async (page) => {
      await page.route('**/api/payment-methods', async (route) => {
        const answer = await route.fetch()
        const methods: object[] = await answer.json()
        await route.fulfill({
          response: answer,
          json: methods.map((method) => ({ ...method, problem: PROBLEM })),
        })
      })
    },
    act: (page) => page.getByText(PROBLEM).first().waitFor(),
  },
  {
    name: 'profile-unreachable',
    as: 'seller',
    path: '/profile',
    before: failing('**/api/auth/me'),
    act: (page) => page.getByText("We can't reach the server").waitFor(),
  },
  { name: 'profile-empty', as: 'newcomer', path: '/profile' },
  {
    name: 'profile-refused',
    as: 'newcomer',
    path: '/profile',
    act: async (page) => {
      await page.getByLabel('First name').fill('')
      await page.getByLabel('Email').fill('nobody')
      await press('Save Changes')(page)
    },
  },
  { name: 'account', as: 'seller', path: '/account' },
  {
    name: 'account-review',
    as: 'seller',
    path: '/account',
    act: (page) => page.getByText('4 stars').click({ force: true }),
  },
  {
    name: 'account-bounced',
    as: 'seller',
    path: '/account',
    before: bounced,
    act: (page) => page.getByText('came back').waitFor(),
  },
  { name: 'account-empty', as: 'newcomer', path: '/account' },
  { name: 'account-many', as: 'busy', path: '/account' },
  { name: 'account-card', as: 'seller', path: ({ pendingCard }) => `/account/card?id=${pendingCard}` },
  {
    name: 'account-card-answered',
    as: 'seller',
    path: ({ answeredCard }) => `/account/card?id=${answeredCard}`,
  },
  { name: 'account-data', as: 'seller', path: '/account/data' },
  { name: 'account-notifications', as: 'seller', path: '/account/notifications' },
  { name: 'account-security', as: 'seller', path: '/account/security' },
  {
    name: 'account-security-refused',
    as: 'newcomer',
    path: '/account/security',
    act: press('Change Password'),
  },
  {
    name: 'profile-add-method',
    as: 'newcomer',
    path: '/profile',
    framed: true,
    act: async (page) => {
      await press('Add Payment Method')(page)
      await page.getByLabel('Payment method').selectOption('Bank Transfer')
      await page.getByLabel('Routing number').fill('123456789')
      await page.getByLabel('Account number').fill('000123456789')
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
      await press(/^Support Chat/)(page)
      await page.getByText('How can we help?').waitFor()
    },
  },
  {
    name: 'support-chat',
    as: 'longwinded',
    path: '/transactions',
    framed: true,
    act: async (page) => {
      await press(/^Support Chat/)(page)
      await page.getByText('It went out this morning').waitFor()
    },
  },
  {
    name: 'support-chat-photos',
    as: 'longwinded',
    path: '/transactions',
    framed: true,
    act: async (page) => {
      await press(/^Support Chat/)(page)
      await page.locator('input[type=file]').setInputFiles(await files(4))
      await page.getByText('One more was left out').waitFor()
    },
  },
  {
    name: 'support-chat-card-number',
    as: 'newcomer',
    path: '/transactions',
    framed: true,
    act: async (page) => {
      await press(/^Support Chat/)(page)
      await page.getByLabel('Your message').fill('Mine is 6006 4930 1234 5678')
      await page.getByLabel('Your message').press('Enter')
      await page.getByText('This looks like a card number').waitFor()
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
      await press(/^Support Chat/)(page)
      await page.getByLabel('Your message').fill('Is anybody there?')
      await page.getByLabel('Your message').press('Enter')
      await page.getByText('Not sent').waitFor()
    },
  },
]
