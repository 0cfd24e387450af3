import { randomUUID } from 'node:crypto'
import type { TestApp } from './app.ts'
import { sendMails } from './mails.ts'
import { accepted, type Person } from './person.ts'

export const contactForm = {
  firstName: 'Vera',
  lastName: 'Visitor',
  email: 'vera@example.com',
  subject: 'Where is my money?',
  message: 'I sent a card yesterday.',
}

/** A visitor who has sent the contact form. */
export async function contacted(
  server: TestApp,
  form: Partial<typeof contactForm> = {},
): Promise<{ visitor: Person; sessionId: string }> {
  const visitor = server.visitor()
  const answer = await accepted(visitor.post('/api/contact', { ...contactForm, ...form }))
  return { visitor, sessionId: answer.json.sessionId }
}

/** Replies to a visitor. @returns the key in the link that is mailed because the reply stays unread */
export async function mailedKey(server: TestApp, staff: Person, sessionId: string): Promise<string> {
  const message = `Which shop is it from? ${randomUUID()}`
  await staff.post('/api/admin/contact/reply', { sessionId, message })
  await server.pool.query("update jobs set run_at = now() where kind = 'replyMail' and done_at is null")
  const mail = (await sendMails(server)).find(({ text }) => text.includes(message))
  const key = /\/contact\/chat\?session=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  if (!key) throw new Error(`No mail links to the thread: ${mail?.text}`)
  return key
}
