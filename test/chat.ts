import type { TestApp } from './app.ts'
import type { Person } from './person.ts'

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
  const answer = await visitor.post('/api/contact', { ...contactForm, ...form })
  if (answer.status !== 201) throw new Error(`The contact form answered ${answer.status}: ${answer.text}`)
  return { visitor, sessionId: answer.json.sessionId }
}
