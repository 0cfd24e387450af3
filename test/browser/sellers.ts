import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page, Route } from '@playwright/test'
import { amazonCard, type CardFields, newNumber, photo } from '../submissions.ts'
import { ADMIN_PASSWORD, expect, type NewSeller, newSeller } from './fixtures.ts'

/** Registers and signs in a new seller through the API. */
export async function signedUp(
  page: Page,
  seller: NewSeller = newSeller(),
): Promise<NewSeller & { id: string }> {
  const answer = await page.request.post('/api/auth/register', { data: seller })
  expect(answer.status()).toBe(201)
  return { ...seller, id: (await answer.json()).user.id }
}

/** Submits a card with a new number through the API. @returns its id */
export async function submitCard(page: Page, fields: CardFields = {}): Promise<string> {
  const image = { name: 'card.jpg', mimeType: 'image/jpeg', buffer: await photo() }
  const given = Object.entries({ ...amazonCard, cardNumber: newNumber(), ...fields }).filter(
    ([, value]) => value !== undefined,
  )
  const multipart = { ...(Object.fromEntries(given) as Record<string, string>), images: image }
  const headers = { 'idempotency-key': randomUUID() }
  const answer = await page.request.post('/api/gift-cards', { multipart, headers })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()).giftCard.id
}

/** Signs staff in through the API. */
export async function asStaff(page: Page): Promise<void> {
  const data = { username: 'admin', password: ADMIN_PASSWORD }
  expect((await page.request.post('/api/admin/login', { data })).status()).toBe(200)
}

export async function move(staffPage: Page, id: string, status: string, reason?: string): Promise<void> {
  const answer = await staffPage.request.patch(`/api/admin/submissions/${id}/status`, {
    data: { status, ...(reason && { reason }) },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** Call before opening the page. `open` resolves when its live channel is open. */
export async function watchChannel(page: Page): Promise<{ open: Promise<void> }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const open = new Promise<void>((resolve) => {
    session.once('Network.webSocketHandshakeResponseReceived', () => resolve())
  })
  return { open }
}

export async function expectToast(page: Page, title: string, description?: string | RegExp): Promise<void> {
  // Hidden from screen readers while a dialog is open; they get a separate announcement.
  const hidden = { includeHidden: true }
  const toast = page.getByRole('region', { name: /\(F8\)$/, ...hidden }).getByRole('listitem', hidden)
  await expect(toast).toContainText(title)
  if (description) await expect(toast).toContainText(description)
}

/** Removes console complaints that the test expects. */
export function forgive(complaints: string[], expected: RegExp): void {
  const others = complaints.filter((complaint) => !expected.test(complaint))
  complaints.splice(0, complaints.length, ...others)
}

/** Responds with a server message, for screens that show their own. */
export async function tooMany(route: Route): Promise<void> {
  await route.fulfill({ status: 429, json: { code: 'too_many_requests', message: 'Slow down' } })
}

/** Playwright's trace fetches images that failed to load, which the page's policy refuses. */
export const TRACE_OF_PICTURES = /Connecting to 'blob:/

/** Presses an aria-disabled button, which explains what is missing. Playwright's click would wait. */
export async function pressAnyway(button: Locator): Promise<void> {
  await button.focus()
  await button.press('Enter')
}

/** Waits for the newest email to an address and returns its link. */
export async function mailedLink(
  dataDir: string,
  to: string,
  path: string,
  parameter = 'token',
): Promise<string> {
  const folder = join(dataDir, 'mail')
  let link: string | undefined
  await expect
    .poll(async () => {
      const all = await readdir(folder).catch(() => [])
      // Files being written start with a dot.
      const names = all
        .filter((name) => !name.startsWith('.'))
        .sort()
        .reverse()
      const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
      const readable = mails.map((mail) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
      const mail = readable.find(
        (text) => text.includes(`To: ${to}`) && text.includes(`${path}?${parameter}=`),
      )
      link = mail && new RegExp(`${path}\\?${parameter}=[\\w.-]+`).exec(mail)?.[0]
      return link
    })
    .toBeTruthy()
  return link ?? ''
}
