import { beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { may, type Role, roles } from '#domain/roles.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { duePayout } from '#test/payouts.ts'
import type { Person } from '#test/person.ts'
import { submittedIn } from '#test/submissions.ts'

let server: TestApp
const staff: Partial<Record<Role, Person>> = {}
let id: string
beforeAll(async () => {
  server = await createTestApp()
  for (const role of roles) staff[role] = await server.staff(role, role)
  const owner = staff.owner as Person
  const [wanted, other] = [await server.seller('wanted_42'), await server.seller('other_43')]
  for (const seller of [wanted, other]) {
    await submittedIn('completed', { seller, staff: owner })
    await duePayout(server, seller, owner)
    await seller.post('/api/chat/messages', { message: 'Hello' })
  }
  id = wanted.id
  await server.pool.query(
    `UPDATE users SET first_name = 'Zoë', last_name = 'Quill', phone_number = '+1 (212) 555-0142' WHERE id = $1`,
    [id],
  )
})

const lists = {
  submissions: ['/api/admin/submissions', 'see_submissions'],
  transactions: ['/api/admin/transactions', 'see_submissions'],
  users: ['/api/admin/users', 'see_sellers'],
  threads: ['/api/admin/chat/threads', 'chat'],
  payouts: ['/api/admin/payouts', 'see_payouts'],
  inventory: ['/api/admin/inventory', 'see_inventory'],
} as const

const named: readonly [string, () => string][] = [
  ['the username', () => 'wanted_42'],
  ['part of the username, in capitals', () => 'ANTED_4'],
  ['the email address', () => 'wanted_42@example.com'],
  ['part of the email address', () => 'ted_42@exam'],
  ['the name', () => 'Zoë Quill'],
  ['the ID', () => id],
  ['the reference', () => referenceOf(id)],
]
const phones = ['+1 (212) 555-0142', '212 555 0142', '12125550142', '555-0142']

describe.each(Object.entries(lists))('the list of %s', (name, [path, capability]) => {
  const readers = roles.filter((role) => may(role, capability))

  async function find(role: Role, q: string): Promise<{ count: number; wanted: boolean }> {
    const { status, json } = (await staff[role]?.get(`${path}?q=${encodeURIComponent(q)}`)) ?? {}
    expect([name, role, q, status]).toEqual([name, role, q, 200])
    const text = JSON.stringify(json)
    return { count: json.length, wanted: text.includes('wanted_42') && !text.includes('other_43') }
  }

  it.each(named)('finds a seller by %s, for every role that reads it', async (_, q) => {
    for (const role of readers) expect([role, (await find(role, q())).wanted]).toEqual([role, true])
  })

  it.each(phones)('finds a seller by the phone number %s, for a role that reads it', async (q) => {
    for (const role of readers) {
      const { wanted, count } = await find(role, q)
      expect([role, wanted, count > 0]).toEqual([role, may(role, 'see_details'), may(role, 'see_details')])
    }
  })

  it.each(['555-0143', '212 555 014', '%', '@', 'wanted_42@example.org'])('does not find %s', async (q) => {
    for (const role of readers) {
      const { wanted } = await find(role, q)
      expect([role, wanted]).toEqual([role, false])
    }
  })
})
