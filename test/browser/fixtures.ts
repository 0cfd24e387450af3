import { rm } from 'node:fs/promises'
import { type Browser, type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type pg from 'pg'
import { SIGNED_IN_COOKIE } from '#contract/accounts.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createPool } from '#server/platform/database/pool.ts'
import { ADMIN_PASSWORD, CONTACTS, type NewSeller, newSeller, SELLER_PASSWORD } from '../people.ts'
import { newDataDir, ServerProcess } from '../server-process.ts'
import { createAdministrator } from './staff-people.ts'

export { ADMIN_PASSWORD, expect, type NewSeller, newSeller, SELLER_PASSWORD }

interface Fixtures {
  /** A separate browser for staff. */
  staffPage: Page
  /** Two reviewers in addition to the first administrator, each in a separate browser. */
  ana: Page
  ben: Page
  /** Unexpected console messages from any page. */
  complaints: string[]
}

/** Playwright starts another worker, with another server, for specs that add to these. */
interface Server {
  /** Where the server listens. */
  host: string
  /** More settings of the server. */
  settings: Record<string, string>
  dataDir: string
  site: string
  database: pg.Pool
  /** The passwords of the reviewers. */
  reviewers: Readonly<Record<'ana' | 'ben', string>>
}

interface Reviewing {
  browser: Browser
  site: string
  reviewers: Server['reviewers']
  complaints: string[]
}

const reviewer =
  (username: 'ana' | 'ben') =>
  async ({ browser, site, reviewers, complaints }: Reviewing, use: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ baseURL: site, viewport: { width: 1440, height: 900 } })
    listen(context, complaints)
    const data = { username, password: reviewers[username] }
    expect((await context.request.post('/api/admin/login', { data })).status()).toBe(200)
    await use(await context.newPage())
    await context.close()
  }

export const test = base.extend<Fixtures, Server>({
  host: ['127.0.0.1', { option: true, scope: 'worker' }],

  settings: [{}, { option: true, scope: 'worker' }],

  dataDir: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the requested fixtures from the pattern
    async ({}, use) => {
      const dataDir = await newDataDir()
      await use(dataDir)
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],

  site: [
    async ({ dataDir, host, settings }, use) => {
      const server = ServerProcess.start({
        HOST: host,
        DATA_DIR: dataDir,
        ADMIN_PASSWORD,
        RATE_LIMITS: 'off',
        WEBHOOKS_ALLOW_PRIVATE: 'on',
        ...CONTACTS,
        ...settings,
      })
      await use(await server.ready())
      server.kill('SIGTERM')
      await server.ended()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  database: [
    async ({ dataDir, site }, use) => {
      const connection = await findRunning(dataDir)
      if (!connection) throw new Error(`The database of ${site} is not running`)
      const pool = createPool({ connection, max: 2, onError: () => undefined })
      await use(pool)
      await pool.end()
    },
    { scope: 'worker' },
  ],

  reviewers: [
    async ({ database }, use) => {
      const create = async (username: string) => (await createAdministrator(database, username)).password
      await use({ ana: await create('ana'), ben: await create('ben') })
    },
    { scope: 'worker' },
  ],

  baseURL: ({ site }, use) => use(site),

  complaints: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const messages: string[] = []
      await use(messages)
      expect(messages, 'the console stays clean').toEqual([])
    },
    { auto: true },
  ],

  context: async ({ context, complaints }, use) => {
    listen(context, complaints)
    await use(context)
  },

  page: async ({ page }, use) => {
    await use(page)
    // A request that is still under way fails with the page.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },

  staffPage: async ({ browser, site, complaints }, use) => {
    const context = await browser.newContext({ baseURL: site, viewport: { width: 1440, height: 900 } })
    listen(context, complaints)
    await use(await context.newPage())
    await context.close()
  },

  ana: reviewer('ana'),
  ben: reviewer('ben'),
})

/** Answers of 401, 404 and 409 are expected, but Chromium logs each of them. */
const EXPECTED = /Failed to load resource: the server responded with a status of 4\d\d/

/** Collects unexpected console messages from the pages of a context. */
export function listen(context: BrowserContext, complaints: string[]): void {
  context.on('console', (message) => {
    const bad = message.type() === 'error' || message.type() === 'warning'
    if (bad && !EXPECTED.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (error) => complaints.push(`uncaught: ${error.error().message}`))
}

/** Makes the page ask who is signed in, which it does not do for visitors. */
export async function seemSignedIn(page: Page, site: string): Promise<void> {
  await page.context().addCookies([{ name: SIGNED_IN_COOKIE, value: '1', url: site }])
}

export async function register(page: Page, seller: NewSeller = newSeller()): Promise<NewSeller> {
  await page.goto('/register')
  await fillRegistration(page, seller)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Your account has been created successfully.').first()).toBeVisible()
  return seller
}

export async function fillRegistration(page: Page, seller: NewSeller): Promise<void> {
  await page.getByLabel('First name').fill(seller.firstName)
  await page.getByLabel('Last name').fill(seller.lastName)
  await page.getByLabel('Username').fill(seller.username)
  await page.getByLabel('Email').fill(seller.email)
  await page.getByLabel('Password').fill(seller.password)
}

export async function signInStaff(page: Page): Promise<void> {
  await page.goto('/admin/login')
  await page.getByLabel('Admin Username').fill('admin')
  await page.getByLabel('Admin Password').fill(ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Access Admin Panel' }).click()
  await expect(page).toHaveURL(/\/admin$|\/admin\?/)
}

/**
 * Waits until the app is there and has fetched nothing for half a second. "networkidle" can come earlier: a page asks for
 * its app with the first frame, which a busy machine paints late.
 */
export async function appSettled(page: Page): Promise<void> {
  const isSettled = () => {
    const fetched = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const isQuiet = fetched.every(({ responseEnd }) => performance.now() - responseEnd > 500)
    return isQuiet && fetched.some(({ name }) => /\/assets\/index-[^/]+\.js$/.test(name))
  }
  // Without the interval the page would paint and be asked 60 times a second.
  await page.waitForFunction(isSettled, undefined, { polling: 100 })
}
