import type { Page } from '@playwright/test'
import type pg from 'pg'
import { contactForm } from '../chat.ts'
import { expect } from './desk.ts'

/** Locators and actions for /admin/chat. */

export const list = (page: Page) => page.getByRole('region', { name: 'Conversations' })
export const rows = (page: Page) => list(page).getByRole('listitem')
export const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
export const conversation = (page: Page) => page.getByRole('region', { name: /^Conversation with/ })
export const log = (page: Page) => page.getByRole('log', { name: 'Messages' })
export const reply = (page: Page) => page.getByLabel('Reply', { exact: true })
export const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })

/** Sends a message as the signed-in seller. */
export async function say(page: Page, message: string): Promise<void> {
  const answer = await page.request.post('/api/chat/messages', { data: { message } })
  expect(answer.status()).toBe(201)
}

/** Adds earlier messages to a seller's existing thread, directly in the database. */
export async function addEarlierMessages(
  database: pg.Pool,
  userId: string,
  count: number,
  text: (number: number) => string,
): Promise<void> {
  await database.query(
    `insert into chat_messages (id, thread_id, message)
     select gen_random_uuid(), thread.id, said.text
     from chat_threads thread, unnest($2::text[]) with ordinality as said (text, number)
     where thread.user_id = $1 order by said.number`,
    [userId, Array.from({ length: count }, (_, index) => text(index + 1))],
  )
}

/** Sends the contact form. @returns the session id */
export async function contact(page: Page, form: Partial<typeof contactForm> = {}): Promise<string> {
  const answer = await page.request.post('/api/contact', { data: { ...contactForm, ...form } })
  expect(answer.status()).toBe(201)
  return (await answer.json()).sessionId
}

export async function write(page: Page, text: string): Promise<void> {
  await reply(page).fill(text)
  await reply(page).press('Enter')
}

/** Goes to /admin/chat, live, and opens a conversation. */
export async function open(staffPage: Page, name?: string): Promise<void> {
  await staffPage.goto('/admin/chat')
  await expect(staffPage.getByText('Live', { exact: true })).toBeVisible()
  if (!name) return
  await row(staffPage, name).getByRole('button').click()
  await expect(conversation(staffPage).getByRole('heading')).toHaveText(name)
}
