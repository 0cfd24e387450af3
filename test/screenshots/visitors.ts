import type { Page } from '@playwright/test'
import { answering, failing, keptRate, waiting } from './calls.ts'
import { press } from './press.ts'
import type { Shot } from './shots.ts'

/** Waits for the menu, whose code is fetched when the button is pressed. */
async function openMenu(page: Page, name: string): Promise<void> {
  await press(name)(page)
  await page.getByRole('menu').waitFor()
}

async function write(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value)
}

async function chooseAmazon(page: Page, value: string): Promise<void> {
  await press(/^Amazon/)(page)
  await page.getByLabel('Card value').fill(value)
}

const reviewed = { rating: 5, locale: 'en', month: '2026-11' }
const someReviews = [
  { ...reviewed, id: '1', comment: 'Second time here, just as smooth.', firstName: 'Grace' },
  {
    ...reviewed,
    id: '2',
    rating: 4,
    comment: 'My tag was misspelled. They waited for me and paid the next day. '.repeat(4),
    firstName: 'Lena',
  },
  { ...reviewed, id: '3', comment: 'Me pagaron el mismo día.', firstName: 'María', locale: 'es' },
]

/** Screens that anyone can see, signed in or not. */
export const visitorShots: readonly Shot[] = [
  { name: 'home', as: 'visitor', path: '/' },
  {
    name: 'home-reviews',
    as: 'visitor',
    path: '/',
    before: answering('**/api/reviews', someReviews),
    act: async (page) => {
      await page.getByRole('heading', { name: 'Paid the way you choose' }).scrollIntoViewIfNeeded()
      await page.getByRole('heading', { name: 'What sellers say' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'home-signed-in', as: 'seller', path: '/', act: (page) => openMenu(page, 'My Account') },
  {
    name: 'home-long-name',
    as: 'longwinded',
    path: '/',
    framed: true,
    act: (page) => openMenu(page, 'My Account'),
  },
  {
    name: 'home-menu',
    as: 'visitor',
    path: '/',
    // A phone has its two links in a menu; wider screens show them.
    act: async (page) => {
      if (await page.getByRole('button', { name: 'Menu' }).isVisible()) await openMenu(page, 'Menu')
    },
  },
  { name: 'get-quote', as: 'visitor', path: '/get-quote' },
  { name: 'get-quote-chosen', as: 'visitor', path: '/get-quote', act: (page) => chooseAmazon(page, '100') },
  { name: 'get-quote-refused', as: 'visitor', path: '/get-quote', act: (page) => chooseAmazon(page, '5') },
  {
    name: 'get-quote-rate-changed',
    as: 'visitor',
    path: '/get-quote',
    before: keptRate('amazon', 9400),
    act: (page) => chooseAmazon(page, '100'),
  },
  {
    name: 'get-quote-nothing-found',
    as: 'visitor',
    path: '/get-quote',
    act: (page) => page.getByLabel('Search brands').fill('Wolfeschlegelsteinhausenbergerdorff'),
  },
  { name: 'login', as: 'visitor', path: '/login' },
  {
    name: 'login-failed',
    as: 'visitor',
    path: '/login',
    act: async (page) => {
      await write(page, { Email: 'nobody@example.com', Password: 'not the one' })
      await press('Sign In')(page)
      await page.getByText('Invalid credentials').first().waitFor()
    },
  },
  {
    name: 'login-kept-quote',
    as: 'visitor',
    path: '/sell-card?brand=amazon&value=500&quote=465',
    act: (page) => page.getByText('Your quote is kept').waitFor(),
  },
  { name: 'register', as: 'visitor', path: '/register' },
  { name: 'register-refused', as: 'visitor', path: '/register', act: press('Create Account') },
  {
    name: 'register-taken',
    as: 'visitor',
    path: '/register',
    act: async (page) => {
      await write(page, { 'First name': 'Sally', 'Last name': 'Seller', Username: 'admin' })
      await write(page, { Email: 'sally@example.org', Password: 'correct horse battery' })
      await press('Create Account')(page)
      await page.getByText('Registration failed').first().waitFor()
    },
  },
  { name: 'forgot-password', as: 'visitor', path: '/forgot-password' },
  {
    name: 'forgot-password-sent',
    as: 'visitor',
    path: '/forgot-password',
    act: async (page) => {
      await write(page, { Email: 'nobody@example.com' })
      await press('Send Link')(page)
      await page.getByText('If there is an account with this email').waitFor()
    },
  },
  { name: 'reset-password', as: 'visitor', path: '/reset-password?token=from-a-mail' },
  { name: 'reset-password-cut-off', as: 'visitor', path: '/reset-password' },
  { name: 'restore-email', as: 'visitor', path: '/restore-email?token=from-a-mail' },
  { name: 'confirm-email', as: 'visitor', path: '/confirm-email?token=from-a-mail' },
  { name: 'unsubscribe', as: 'visitor', path: '/unsubscribe?token=from.offer.mail' },
  { name: 'restore-email-cut-off', as: 'visitor', path: '/restore-email' },
  { name: 'not-found', as: 'visitor', path: '/nowhere' },
  ...['terms', 'privacy', 'security', 'help', 'faq', 'contact'].map(
    (name): Shot => ({ name, as: 'visitor', path: `/${name}` }),
  ),
  {
    name: 'help-found',
    as: 'visitor',
    path: '/help',
    act: (page) => page.getByLabel('Search for help').fill('paid'),
  },
  {
    name: 'help-nothing-found',
    as: 'visitor',
    path: '/help',
    act: (page) => page.getByLabel('Search for help').fill('xylophone'),
  },
  { name: 'faq-open', as: 'visitor', path: '/faq#payout-methods' },
  { name: 'contact-refused', as: 'visitor', path: '/contact', act: press('Send Message') },
  {
    name: 'contact-chat',
    as: 'visitor',
    path: ({ contactSession }) => `/contact/chat?session=${contactSession}`,
  },
  {
    name: 'contact-chat-waiting',
    as: 'visitor',
    path: '/contact',
    act: async (page) => {
      await write(page, { 'First name': 'Tom', 'Last name': 'Baker', Email: 'tom@example.com' })
      await write(page, { Subject: 'When will I be paid?', Message: 'I sent a card this morning.' })
      await press('Send Message')(page)
      await page.getByText('Waiting for agent response').waitFor()
    },
  },
  {
    name: 'contact-chat-loading',
    as: 'visitor',
    path: ({ contactSession }) => `/contact/chat?session=${contactSession}`,
    before: waiting('**/api/contact/messages*'),
  },
  {
    name: 'contact-chat-failed',
    as: 'visitor',
    path: ({ contactSession }) => `/contact/chat?session=${contactSession}`,
    before: failing('**/api/contact/messages*'),
    act: (page) => page.getByRole('alert').first().waitFor(),
  },
  { name: 'contact-chat-unknown', as: 'visitor', path: '/contact/chat?session=cut-off' },
]
