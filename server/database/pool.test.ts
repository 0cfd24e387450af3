import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import type { Connection } from './connection.ts'
import { isUnavailable } from './errors.ts'
import { createDatabase, createPool } from './pool.ts'
import { transaction } from './transaction.ts'

/** A line to a database that can be made to carry nothing any more, and not to say so. */
async function silentLine(url: string) {
  const { host, port, user = '', password = '', database = '' } = new pg.Client({ connectionString: url })
  const carried: Socket[] = []
  const line = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    near.pipe(far).pipe(near)
    for (const end of [near, far]) end.on('error', () => undefined)
    carried.push(near, far)
  })
  await once(line.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const end of carried) end.destroy()
    line.close()
  })
  const { port: here } = line.address() as AddressInfo
  const connection: Connection = { host: '127.0.0.1', port: here, user, password, database, ssl: false }
  const fallSilent = () => {
    for (const end of carried) end.unpipe().resume()
  }
  return { connection, fallSilent }
}

test('a database that goes without a word is given up, and asked anew when it is back', async () => {
  const { url } = await createTestDatabase()
  const { connection, fallSilent } = await silentLine(url)
  const pool = createPool({ connection, max: 2, statementTimeout: 100, onError: () => undefined })
  onTestFinished(() => pool.end())
  const db = createDatabase(pool)
  const one = () => db.execute(sql`select 1 as one`)
  const inTransaction = () => transaction(db, async (tx) => tx.execute(sql`select 1 as one`))
  await Promise.all([one(), inTransaction()])

  fallSilent()
  const given = await Promise.allSettled([one(), inTransaction()])
  const unavailable = given.map((its) => its.status === 'rejected' && isUnavailable(its.reason))
  expect(unavailable).toEqual([true, true])
  // Both connections were that database's; those that are made now are not silent.
  const { rows } = await inTransaction()
  expect([rows, (await one()).rows]).toEqual([[{ one: 1 }], [{ one: 1 }]])
})
