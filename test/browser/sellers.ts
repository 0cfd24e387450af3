import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page, Route } from '@playwright/test'
import { accepted, Person } from '../person.ts'
import { registered, signedInStaff } from '../signed-in.ts'
import { type CardFields, submitted } from '../submissions.ts'
import { expect, type NewSeller, newSeller } from './fixtures.ts'

/** Registers and signs in a new seller through the API. */
export async function signedUp(
  page: Page,
  seller: NewSeller = newSeller(),
): Promise<NewSeller & { id: string }> {
  const { id } = await registered(personOn(page), seller)
  return { ...seller, id }
}

/** Submits a card with a new number through the API. @returns its id */
export const submitCard = (page: Page, fields?: CardFields): Promise<string> =>
  submitted(personOn(page), fields)

/** Signs staff in through the API. */
export async function asStaff(page: Page): Promise<void> {
  await signedInStaff(personOn(page))
}

export async function move(staffPage: Page, id: string, status: string, reason?: string): Promise<void> {
  const change = { status, ...(reason && { reason }) }
  await accepted(personOn(staffPage).patch(`/api/admin/submissions/${id}/status`, change))
}

/** Calls the API with the cookies of a page. */
function personOn({ request }: Page): Person {
  return new Person({
    async inject({ url, method = 'GET', headers, payload }) {
      const answer = await request.fetch(String(url), {
        method,
        headers: headers as Record<string, string>,
        data: payload,
      })
      const rawPayload = await answer.body()
      const body = rawPayload.toString()
      return { statusCode: answer.status(), headers: answer.headers(), cookies: [], body, rawPayload }
    },
  })
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

/** Presses the button of the toast, such as Undo. */
export async function pressInToast(page: Page, name: string): Promise<void> {
  await page
    .getByRole('region', { name: /\(F8\)$/ })
    .getByRole('button', { name })
    .click()
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
