import type { Locator, Page } from '@playwright/test'
import type pg from 'pg'
import { cardColumns } from '#test/card-columns.ts'
import { test as base, expect } from './fixtures.ts'
import { signedUp, submitCard } from './sellers.ts'

export { expect }

/** Tests of staff have servers of their own: what other tests' sellers sent would push rows out of the lists. */
export const test = base.extend<object, { data: 'staff' }>({ data: ['staff', { scope: 'worker' }] })

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
       insert into gift_cards (${cardColumns}) select ${cardColumns} from (
         select (jsonb_populate_record(card, ${ofCard})).* from gift_cards card, ${numbers} where card.id = $1
       ) as copies
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
