import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { Listener } from './listener.ts'

test('receives notifications, and reports a lost connection and the gap after it', async () => {
  const { pool, url } = await createTestDatabase()
  const heard: string[] = []
  const listener = new Listener({
    connection: { connectionString: url, application_name: 'the listener' },
    channels: { one: (payload) => heard.push(payload), two: () => heard.push('two') },
    onGap: () => heard.push('a gap'),
    onError: (_error, problem) => heard.push(problem),
  })
  await listener.start()
  onTestFinished(() => listener.close())
  await pool.query("select pg_notify('one', 'first'), pg_notify('two', ''), pg_notify('three', 'not for us')")
  await expect.poll(() => heard).toEqual(['first', 'two'])

  await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'the listener'",
  )
  await expect.poll(() => heard.at(-1)).toBe('a gap')
  expect(heard).toContain('listener lost its connection')
  await pool.query("select pg_notify('one', 'again')")
  await expect.poll(() => heard.at(-1)).toBe('again')
})

test('continues after a notification it cannot handle', async () => {
  const { pool, url } = await createTestDatabase()
  const heard: unknown[] = []
  const errors: string[] = []
  const listener = new Listener({
    connection: { connectionString: url },
    channels: { one: (payload) => heard.push(JSON.parse(payload)) },
    onGap: () => {},
    onError: ({ message }) => errors.push(message),
  })
  await listener.start()
  onTestFinished(() => listener.close())
  await pool.query("select pg_notify('one', 'no JSON'), pg_notify('one', '[1]')")
  await expect.poll(() => heard).toEqual([[1]])
  expect(errors).toEqual(['listener cannot handle a notification of one'])
})

test('gives up on a database that accepts the connection and stays silent', async () => {
  const silent = createServer(() => {})
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  const listener = new Listener({
    connection: { host: '127.0.0.1', port, user: 'u', database: 'd', connectionTimeoutMillis: 100 },
    channels: {},
    onGap: () => {},
    onError: () => {},
  })
  await expect(listener.start()).rejects.toThrow('timeout')
})
