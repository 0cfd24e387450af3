import fastify from 'fastify'
import { expect, it } from 'vitest'
import { finishPage } from './pages.ts'

const rows = [{ id: 'one' }, { id: 'two' }]
const app = fastify()
app.get('/list', async (request, reply) => finishPage(request, reply, { rows, total: 2, limit: 1 }))

it.each([
  ['/list', 'cursor=one'],
  ['/list?limit=1', 'limit=1&cursor=one'],
  ['/list?cursor=before&limit=1', 'cursor=one&limit=1'],
  ['/list?q=who?&limit=1', 'q=who%3F&limit=1&cursor=one'],
  ['/list?q=a%26b%3Fc%C3%BC+d', 'q=a%26b%3Fc%C3%BC+d&cursor=one'],
])('names the page after %s, which keeps all that was asked for', async (url, expected) => {
  const answer = await app.inject(url)
  expect(answer.headers).toMatchObject({
    link: `</list?${expected}>; rel="next"`,
    'x-total-count': '2',
  })
  expect(answer.json()).toEqual([{ id: 'one' }])
})
