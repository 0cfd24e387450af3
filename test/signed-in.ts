import { randomBytes } from 'node:crypto'
import { ADMIN_PASSWORD, type NewSeller, newSeller } from './people.ts'
import { accepted, type Person } from './person.ts'

/** Registers a new seller, who is then signed in. */
export async function registered(
  person: Person,
  who: string | NewSeller = `seller${randomBytes(4).toString('hex')}`,
): Promise<Person> {
  const named = (username: string) => ({ ...newSeller(), username, email: `${username}@example.com` })
  const seller = typeof who === 'string' ? named(who) : who
  person.id = (await accepted(person.post('/api/auth/register', seller))).json.user.id
  person.email = seller.email
  return person
}

/** Signs in an administrator. */
export async function signedInStaff(person: Person, username = 'admin'): Promise<Person> {
  const credentials = { username, password: ADMIN_PASSWORD }
  person.id = (await accepted(person.post('/api/admin/login', credentials))).json.id
  return person
}
