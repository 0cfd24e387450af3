import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { isUnavailable } from '#server/platform/database/errors.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { PhotoStorageUnavailable } from '#server/platform/photos/errors.ts'
import { crashMessage } from './crash-handler.ts'

/** The error of a query to an unreachable database. */
async function failureAt(connection: string): Promise<unknown> {
  const pool = createPool({ connection, onError: () => undefined })
  const error = await createDatabase(pool)
    .execute('select secret')
    .catch((error) => error)
  await pool.end()
  return error
}

describe('the message of a crash', () => {
  it('is the message of an error meant for the operator', () => {
    class PortError extends OperatorError {}
    expect(crashMessage(new PortError('PORT holds "abc"'))).toBe('PORT holds "abc"')
  })

  it.each([
    ['postgres://u:p@127.0.0.1:1/x', /^connect ECONNREFUSED 127.0.0.1:1: the database of DATABASE_URL .*$/],
    ['postgres://u:p@nobody.invalid/x', /^getaddrinfo \w+ nobody.invalid.*$/],
    ['postgres://u:p@%2Ftmp%2Funspent-pg-gone/x', /^connect ENOENT \/tmp\/unspent-pg-gone\/.*same TMPDIR$/],
  ])('is one line without the query when %s does not answer', async (connection, line) => {
    expect(crashMessage(await failureAt(connection))).toMatch(line)
  })

  it('names the first address of a host when none of them answers', async () => {
    const lookup = (_host: string, _options: object, found: (error: null, addresses: object[]) => void) =>
      found(
        null,
        ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })),
      )
    const socket = connect({ host: 'two.test', port: 1, lookup: lookup as never })
    const [error] = await once(socket, 'error').catch((error) => [error])
    expect(error).toBeInstanceOf(AggregateError)
    expect(isUnavailable(error)).toBe(true)
    expect(crashMessage(error)).toMatch(/^connect ECONNREFUSED 127.0.0.1:1: the database .*$/)
  })

  it('blames the photo storage, not the database, when the photo storage fails', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:9000'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    })
    const message = crashMessage(new PhotoStorageUnavailable(`Error: ${cause.message}`, { cause }))
    expect(message).toMatch(/^STORAGE_URL: .* ECONNREFUSED 10.1.2.3:9000$/)
  })

  it('is the first failure when several parts do not stop', () => {
    const both = new SuppressedError(new OperatorError('second'), new OperatorError('first'))
    expect(crashMessage(both)).toBe('first')
  })

  it('shows where an unexpected error happened', () => {
    expect(crashMessage(new TypeError('x is not a function'))).toContain('crash-handler.test.ts')
    expect(crashMessage('thrown')).toBe('thrown')
  })
})
