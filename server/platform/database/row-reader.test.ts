import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rowReader } from './row-reader.ts'
import { users } from './schema.ts'

const read = rowReader({
  id: users.id,
  seller: {
    username: users.username,
    createdAt: users.createdAt,
    record: { sales: sql`count(*)`.mapWith(Number) },
  },
  total: sql<string>`sum(amount)`,
})

test('puts each value where its field is, as the column or the expression decodes it', () => {
  expect(read(['1', 'Ada', '2026-11-20 09:12:11.5+00', '12', '300'])).toEqual({
    id: '1',
    seller: { username: 'Ada', createdAt: new Date('2026-11-20T09:12:11.500Z'), record: { sales: 12 } },
    total: '300',
  })
})

test('leaves what is null', () => {
  const nothing = {
    id: null,
    seller: { username: null, createdAt: null, record: { sales: null } },
    total: null,
  }
  expect(read([null, null, null, null, null])).toEqual(nothing)
})

test('reads each row anew', () => {
  const [one, other] = [read(['1', 'Ada', null, '1', '2']), read(['2', 'Grace', null, '3', '4'])]
  expect(one).toMatchObject({ id: '1', seller: { username: 'Ada', record: { sales: 1 } } })
  expect(other).toMatchObject({ id: '2', seller: { username: 'Grace', record: { sales: 3 } } })
})
