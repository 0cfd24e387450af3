import { expect, type Page, type Route } from '@playwright/test'
import type pg from 'pg'
import { Passwords } from '#server/features/accounts/credentials/passwords.ts'
import { createDatabase } from '#server/platform/database/pool.ts'
import { passwordIn, runCommand } from '../operator.ts'

let made = 0

export interface NewAdministrator {
  username: string
  password: string
}

/** Runs `./unspent admin …` on the server's database. Returns what it prints. */
export function command(database: pg.Pool, ...words: string[]): Promise<string> {
  return runCommand({ db: createDatabase(database), passwords: new Passwords(), url: '' }, ...words)
}

export async function createAdministrator(database: pg.Pool, username: string): Promise<NewAdministrator> {
  return { username, password: passwordIn(await command(database, 'create', username)) }
}

/** Creates an administrator for one test. `admin` is shared by all tests of the worker. */
export function newAdministrator(database: pg.Pool): Promise<NewAdministrator> {
  made += 1
  return createAdministrator(database, `ada${process.pid}x${made}`)
}

/** Submits the staff sign-in form. */
export async function enter(page: Page, { username, password }: NewAdministrator): Promise<void> {
  await page.getByLabel('Admin Username').fill(username)
  await page.getByLabel('Admin Password').fill(password)
  await page.getByRole('button', { name: 'Access Admin Panel' }).click()
}

/** Signs in through the API. */
export async function signedIn(page: Page, administrator: NewAdministrator): Promise<void> {
  const answer = await page.request.post('/api/admin/login', { data: administrator })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** Responds with something the app cannot parse, such as a proxy's error page. */
export async function unreadable(route: Route): Promise<void> {
  await route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
}

/** Makes the server send pages of this many rows. */
export async function inPagesOf(page: Page, rows: number, path: string): Promise<void> {
  await page.route(`**${path}*`, (route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', String(rows))
    return route.continue({ url: url.href })
  })
}

/** The bar of the staff area, on wide windows. */
export const screens = (page: Page) => page.getByRole('navigation', { name: 'Screens' })
