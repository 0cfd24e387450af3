import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isUnavailable } from '#server/database/errors.ts'
import { createDatabase, createPool } from '#server/database/pool.ts'
import { PhotoStorageUnavailable } from '#server/photos/errors.ts'
import { lastWords } from './last-words.ts'
import { OperatorError } from './operator-error.ts'

/** What is thrown by a query to a database that is not there. */
async function failureAt(connection: string): Promise<unknown> {
  const pool = createPool({ connection, onError: () => undefined })
  const error = await createDatabase(pool)
    .execute('select secret')
    .catch((error) => error)
  await pool.end()
  return error
}

describe('the last words of a program', () => {
  it('are the message of an error that is made for the operator', () => {
    class PortError extends OperatorError {}
    expect(lastWords(new PortError('PORT holds "abc"'))).toBe('PORT holds "abc"')
  })

  it.each([
    ['postgres://u:p@127.0.0.1:1/x', /^connect ECONNREFUSED 127.0.0.1:1: the database of DATABASE_URL .*$/],
    ['postgres://u:p@nobody.invalid/x', /^getaddrinfo \w+ nobody.invalid.*$/],
    ['postgres://u:p@%2Ftmp%2Funspent-pg-gone/x', /^connect ENOENT \/tmp\/unspent-pg-gone\/.*same TMPDIR$/],
  ])('are one line without the query when %s does not answer', async (connection, line) => {
    expect(lastWords(await failureAt(connection))).toMatch(line)
  })

  it('name one address of a host that answers at none of several', async () => {
    const lookup = (_host: string, _options: object, found: (error: null, addresses: object[]) => void) =>
      found(
        null,
        ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })),
      )
    const socket = connect({ host: 'two.test', port: 1, lookup: lookup as never })
    const [error] = await once(socket, 'error').catch((error) => [error])
    expect(error).toBeInstanceOf(AggregateError)
    expect(isUnavailable(error)).toBe(true)
    expect(lastWords(error)).toMatch(/^connect ECONNREFUSED 127.0.0.1:1: the database .*$/)
  })

  it('name the store of the photos when it was that one, and not the database', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:9000'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    })
    const words = lastWords(new PhotoStorageUnavailable(`Error: ${cause.message}`, { cause }))
    expect(words).toMatch(/^STORAGE_URL: .* ECONNREFUSED 10.1.2.3:9000$/)
  })

  it('tell where it happened when nobody expected it', () => {
    expect(lastWords(new TypeError('x is not a function'))).toContain('last-words.test.ts')
    expect(lastWords('thrown')).toBe('thrown')
  })
})
