import fastify from 'fastify'
import { expect, it } from 'vitest'
import { byId, finishPage } from './paging.ts'

const rows = [{ id: 'one' }, { id: 'two' }]
const app = fastify()
app.get('/list', async (request, reply) => finishPage(request, reply, { rows, total: 2, limit: 1 }, byId))
app.get('/long', async (request, reply) => finishPage(request, reply, { rows, total: 5000, limit: 1 }, byId))

it.each([
  ['/list', 'cursor=one'],
  ['/list?limit=1', 'limit=1&cursor=one'],
  ['/list?cursor=before&limit=1', 'cursor=one&limit=1'],
  ['/list?q=who?&limit=1', 'q=who%3F&limit=1&cursor=one'],
  ['/list?q=a%26b%3Fc%C3%BC+d', 'q=a%26b%3Fc%C3%BC+d&cursor=one'],
])('links to the page after %s with the same query', async (url, expected) => {
  const answer = await app.inject(url)
  expect(answer.headers).toMatchObject({
    link: `</list?${expected}>; rel="next"`,
    'x-total-count': '2',
  })
  expect(answer.json()).toEqual([{ id: 'one' }])
})

it('says that there are more than 1,000, but not how many', async () => {
  expect((await app.inject('/long')).headers['x-total-count']).toBe('1001')
})
