import type { Browser, Locator, Page } from '@playwright/test'
import type pg from 'pg'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createPool } from '#server/platform/database/pool.ts'
import { test as base, expect, listen } from './fixtures.ts'
import { signedUp, submitCard } from './sellers.ts'
import { createAdministrator } from './staff-people.ts'

export { expect }

/** The review desk with two reviewers in addition to the first administrator, each in a separate browser. */
interface Desk {
  ana: Page
  ben: Page
}

interface DeskServer {
  database: pg.Pool
  /** Their passwords. */
  reviewers: Readonly<Record<keyof Desk, string>>
}

const reviewer =
  (username: keyof Desk) =>
  async (
    {
      browser,
      site,
      reviewers,
      complaints,
    }: { browser: Browser; site: string; complaints: string[] } & DeskServer,
    use: (page: Page) => Promise<void>,
  ) => {
    const context = await browser.newContext({ baseURL: site, viewport: { width: 1440, height: 900 } })
    listen(context, complaints)
    const data = { username, password: reviewers[username] }
    expect((await context.request.post('/api/admin/login', { data })).status()).toBe(200)
    await use(await context.newPage())
    await context.close()
  }

export const test = base.extend<Desk, DeskServer>({
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

  ana: reviewer('ana'),
  ben: reviewer('ben'),
})

/** Registers a new seller, who submits these cards in order. */
export async function cardsOf(page: Page, ...cards: Parameters<typeof submitCard>[1][]) {
  const seller = await signedUp(page)
  const ids: string[] = []
  for (const fields of cards) ids.push(await submitCard(page, fields))
  return { seller, ids, id: ids[0] ?? '', view: `/admin?q=${seller.username}` }
}

let copied = 0

/**
 * Copies a submission in the database, older than all others. The encrypted values of the copies can't be revealed.
 * @returns their ids, the oldest first
 */
export async function copySubmission(database: pg.Pool, id: string, count: number): Promise<string[]> {
  const from = copied
  copied += count
  const copyId = `('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid`
  const numbers = `generate_series($2::int + 1, $2::int + $3::int) as number`
  const ofCard = `jsonb_build_object('id', ${copyId}, 'gift_card_id', ${copyId}, 'idempotency_key', null, 'data_key', null, 'card_number_index', null)`
  await database.query(
    `with cards as (
       insert into gift_cards select (jsonb_populate_record(card, ${ofCard})).*
       from gift_cards card, ${numbers} where card.id = $1
     ), moves as (
       insert into status_history select (jsonb_populate_record(entry, ${ofCard})).*
       from status_history entry, ${numbers} where entry.gift_card_id = $1
     )
     insert into transactions select (jsonb_populate_record(payment, ${ofCard})).*
     from transactions payment, ${numbers} where payment.gift_card_id = $1`,
    [id, from, count],
  )
  const hex = (number: number) => number.toString(16).padStart(12, '0')
  return Array.from({ length: count }, (_, index) => `00000000-0000-7000-8000-${hex(from + index + 1)}`)
}

export function openSubmission(page: Page): Locator {
  return page.getByRole('region', { name: 'Submission', exact: true })
}

export function listOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Submissions', exact: true })
}

export function rowsOf(page: Page): Locator {
  return listOf(page).getByRole('listitem').getByRole('link')
}

export async function isLive(page: Page): Promise<void> {
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
}
