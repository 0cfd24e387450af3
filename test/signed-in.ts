import { randomBytes } from 'node:crypto'
import { ADMIN_PASSWORD, SELLER_PASSWORD } from './people.ts'
import type { Person } from './person.ts'

/** Registers a new seller, who is then signed in. */
export async function registered(
  person: Person,
  name = `seller${randomBytes(4).toString('hex')}`,
): Promise<Person> {
  const answer = await person.post('/api/auth/register', {
    username: name,
    email: `${name}@example.com`,
    password: SELLER_PASSWORD,
    firstName: 'Sally',
    lastName: 'Seller',
  })
  if (answer.status !== 201) throw new Error(`Registration answered ${answer.status}: ${answer.text}`)
  person.id = answer.json.user.id
  return person
}

/** Signs in an administrator. */
export async function signedInStaff(person: Person, username = 'admin'): Promise<Person> {
  const answer = await person.post('/api/admin/login', { username, password: ADMIN_PASSWORD })
  if (answer.status !== 200) throw new Error(`Sign-in answered ${answer.status}: ${answer.text}`)
  person.id = answer.json.id
  return person
}
