import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { etagOf, hasAlready } from './etag.ts'

const asking = (held?: string) =>
  ({ headers: held === undefined ? {} : { 'if-none-match': held } }) as unknown as FastifyRequest
const etag = etagOf(Buffer.from('the catalogue'))

it('is another one for other content', () => {
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  expect(etagOf(Buffer.from('the catalogue'))).toBe(etag)
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
])('who holds %s has it: %s', (held, has) => {
  expect(hasAlready(asking(held), etag)).toBe(has)
})
