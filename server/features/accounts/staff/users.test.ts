import { beforeAll, describe, expect, it } from 'vitest'
import { referenceOf } from '#domain/reference.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { linked, type Person, type TestAnswer } from '#test/person.ts'
import { submitted } from '#test/submissions.ts'

let server: TestApp
let staff: Person
const people: Record<string, Person> = {}

beforeAll(async () => {
  server = await createTestApp()
  staff = await server.staff()
  for (const name of ['maria_50', 'oskar', 'mariaX50']) people[name] = await server.seller(name)
})

const names = (answer: TestAnswer) => answer.json.map((row: { username: string }) => row.username)
const list = (query: string) => staff.get(`/api/admin/users?${query}`)

describe("the staff's list of users", () => {
  it('lists the newest first, with all fields except passwords', async () => {
    await people.oskar?.put('/api/user/locale', { locale: 'es' })
    const answer = await list('')
    expect(names(answer)).toEqual(['mariaX50', 'oskar', 'maria_50'])
    expect(answer.headers['x-total-count']).toBe('3')
    expect(answer.json[1]).toEqual({
      id: people.oskar?.id,
      username: 'oskar',
      email: 'oskar@example.com',
      firstName: 'Sally',
      lastName: 'Seller',
      role: 'user',
      locale: 'es',
      state: 'active',
      verified: false,
      rating: '0.00',
      reviewCount: 0,
      tradeCount: 0,
      submissions: 0,
      completed: 0,
      rejected: 0,
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(answer.text).not.toMatch(/hash|argon/i)
  })

  it('is paged by cursor and keeps the search', async () => {
    const one = await list('limit=1&q=maria')
    expect(one.headers['x-total-count']).toBe('2')
    const next = linked(one)
    expect(next).toContain('q=maria')
    const two = await staff.get(next)
    expect([...names(one), ...names(two)]).toEqual(['mariaX50', 'maria_50'])
    expect(two.headers.link).toBeUndefined()
  })

  it.each([
    ['MARIA', ['mariaX50', 'maria_50']],
    ['maria_', ['maria_50']],
    ['oskar@EX', ['oskar']],
    ['sally sell', ['mariaX50', 'oskar', 'maria_50']],
    ['%', []],
    ["'; drop table users; --", []],
  ])('searches literally for %s', async (q, expected) => {
    expect(names(await list(`q=${encodeURIComponent(q)}`))).toEqual(expected)
  })

  it('finds an account by its ID and by its reference', async () => {
    const id = people.oskar?.id ?? ''
    expect(names(await list(`q=${id}`))).toEqual(['oskar'])
    expect(names(await list(`q=${referenceOf(id)}`))).toEqual(['oskar'])
  })

  it.each(['limit=0', 'cursor=1', 'q=%00'])('refuses %s', async (query) => {
    expect((await list(query)).status).toBe(400)
  })

  it("counts a seller's submissions by outcome, without cleared ones", async () => {
    const seller = people.maria_50 as Person
    const [completed, rejected] = [await submitted(seller), await submitted(seller)]
    await submitted(seller)
    await staff.patch(`/api/admin/submissions/${completed}/status`, { status: 'completed' })
    await staff.patch(`/api/admin/submissions/${rejected}/status`, { status: 'rejected', reason: 'Blurry' })
    const row = async () => (await list('q=maria_50')).json[0]
    expect(await row()).toMatchObject({ submissions: 3, completed: 1, rejected: 1, tradeCount: 1 })
    const record = await staff.get(`/api/admin/submissions/${completed}/seller-record`)
    expect(record.json).toEqual({ submissions: 3, completed: 1, rejected: 1, appealed: 0, unlisted: 0 })
    await staff.send({ method: 'DELETE', url: '/api/admin/submissions' })
    expect(await row()).toMatchObject({ submissions: 1, completed: 1, rejected: 0 })
  })
})
