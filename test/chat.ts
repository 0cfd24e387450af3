import { randomUUID } from 'node:crypto'
import type { TestApp } from './app.ts'
import { ADMIN_PASSWORD } from './people.ts'
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
  if (answer.status !== 201) throw new Error(`Contact answered ${answer.status}: ${answer.text}`)
  return { visitor, sessionId: answer.json.sessionId }
}

/** Another administrator, signed in, beside the `admin` of `server.staff()`. */
export async function colleague(server: TestApp, username: string): Promise<Person> {
  await server.pool.query(
    `insert into administrators (id, username, password_hash)
     select $1, $2, password_hash from administrators where username = 'admin'`,
    [randomUUID(), username],
  )
  const person = server.visitor()
  const answer = await person.post('/api/admin/login', { username, password: ADMIN_PASSWORD })
  if (answer.status !== 200) throw new Error(`Sign-in answered ${answer.status}: ${answer.text}`)
  person.id = answer.json.id
  return person
}
