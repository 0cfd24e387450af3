import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { etagOf, hasAlready } from './encoded.ts'

const requestWith = (held?: string) =>
  ({ headers: held === undefined ? {} : { 'if-none-match': held } }) as unknown as FastifyRequest
const etag = etagOf(Buffer.from('the catalog'))

it('an ETag depends only on the content', () => {
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  expect(etagOf(Buffer.from('the catalog'))).toBe(etag)
  expect(etagOf(Buffer.from('another one'))).not.toBe(etag)
})

it.each([
  [etag, true],
  [`W/${etag}`, true],
  [`"older", W/${etag}`, true],
  [undefined, false],
  ['', false],
  ['"older"', false],
  [etag.slice(0, -2), false],
])('a client that sends %s has the content: %s', (held, has) => {
  expect(hasAlready(requestWith(held), etag)).toBe(has)
})
