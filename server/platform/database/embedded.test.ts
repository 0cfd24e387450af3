import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ask, clusterOf, ended, makeDataDir, start, startOther } from '#test/embedded.ts'
import { checkDurability } from './durability.ts'
import type { Log } from './embedded/folder.ts'
import { runsOn } from './embedded/postmaster.ts'
import { createPool } from './pool.ts'

describe('the embedded PostgreSQL', () => {
  test('is created once and keeps its data across restarts', async () => {
    const dataDir = await makeDataDir()
    const first = await start(dataDir)
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    const made = async () => (await stat(join(clusterOf(dataDir), 'PG_VERSION'))).mtimeMs
    const before = await made()
    const second = await start(dataDir)
    expect(await made()).toBe(before)
    expect(await ask(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  test('is durable, has data checksums, and the application is no superuser', async () => {
    const server = await start(await makeDataDir())
    const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'listen_addresses']
    for (const [name, value] of settings.map((name) => [name, name === 'listen_addresses' ? '' : 'on']))
      expect(await ask(server, `SHOW ${name}`)).toEqual([{ [name ?? '']: value }])
    expect(
      await ask(server, "SELECT rolname, rolsuper FROM pg_roles WHERE rolname IN ('unspent', 'postgres')"),
    ).toEqual(
      expect.arrayContaining([
        { rolname: 'postgres', rolsuper: true },
        { rolname: 'unspent', rolsuper: false },
      ]),
    )
    expect(await ask(server, 'SELECT datlocale, datlocprovider FROM pg_database')).toContainEqual({
      datlocale: 'C.UTF-8',
      datlocprovider: 'b',
    })
    await ask(server, 'CREATE EXTENSION pg_trgm')
  })

  test('requires the password and hides socket and credentials from other users', async () => {
    const dataDir = await makeDataDir()
    const server = await start(dataDir)
    const wrong = { url: server.url.replace(server.connection.password, 'wrong') }
    await expect(ask(wrong, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dataDir, 'postgres/credentials.json'))).mode & 0o777).toBe(0o600)
    expect(Buffer.byteLength(join(server.connection.host, '.s.PGSQL.5432'))).toBeLessThanOrEqual(100)
  })

  test('leaves no process and no socket folder behind', async () => {
    const dataDir = await makeDataDir()
    const server = await start(dataDir)
    const pid = server.pid()
    await Promise.all([server.stop(), server.stop()])
    expect(await runsOn(clusterOf(dataDir), pid)).toBe(false)
    await expect(stat(server.connection.host)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('works below a very long path', async () => {
    const dataDir = join(
      await makeDataDir(),
      ...Array.from({ length: 8 }, () => 'a-long-name-'.repeat(4)),
      'data',
    )
    expect(await ask(await start(dataDir), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('repeats what PostgreSQL said when it does not start', async () => {
    const dataDir = await makeDataDir()
    const broken = start(dataDir, { settings: { shared_buffers: 'plenty' } })
    await expect(broken).rejects.toThrow(/^PostgreSQL did not start\n.*FATAL: .*"shared_buffers": "plenty"/s)
  })

  test('refuses a folder of another version or without its credentials in one line', async () => {
    const dataDir = await makeDataDir()
    await (await start(dataDir)).stop()
    await writeFile(join(dataDir, 'postgres/cluster/PG_VERSION'), '14\n')
    await expect(start(dataDir)).rejects.toThrow(
      /^\S+ was made by PostgreSQL 14 and this program includes 18: .*$/,
    )
    await writeFile(join(dataDir, 'postgres/cluster/PG_VERSION'), '18\n')
    await rm(join(dataDir, 'postgres/credentials.json'))
    await expect(start(dataDir)).rejects.toThrow(/credentials.json cannot be read/)
  })
})

describe('after kill -9', () => {
  test('during creation, the next start creates a whole database', async () => {
    let dataDir: string
    // A busy machine may run this process only when the other one has created the database.
    do {
      dataDir = await makeDataDir()
      const folder = dataDir
      const killed = startOther({ dataDir })
      killed.result.catch(() => undefined)
      await expect.poll(() => readdir(folder), { interval: 5 }).not.toEqual([])
      await sleep(100)
      await ended(killed.child, 'SIGKILL')
    } while ((await readdir(dataDir)).includes('postgres'))
    expect(await ask(await start(dataDir), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(await readdir(dataDir)).toEqual(['postgres'])
  })

  test('of PostgreSQL alone, restarts it and the pool reconnects', async () => {
    const log = vi.fn<Log>()
    const onLost = vi.fn()
    const server = await start(await makeDataDir(), { log, onLost })
    const pool = createPool({ connection: server.connection, onError: () => undefined })
    onTestFinished(() => pool.end())
    await pool.query('CREATE TABLE kept AS SELECT 42 AS answer')
    const pid = server.pid()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => server.pid()).not.toBe(pid)
    await vi.waitFor(() => pool.query('SELECT answer FROM kept'), 30_000)
    expect(log.mock.calls.filter(([level]) => level === 'error')).toEqual([
      ['error', expect.stringMatching(/^PostgreSQL ended unexpectedly: /)],
    ])
    expect(onLost).not.toHaveBeenCalled()
  })
})

test('passes the durability check for external databases', async () => {
  const server = await start(await makeDataDir())
  const pool = createPool({ connection: server.connection, onError: () => undefined })
  await expect(checkDurability(pool)).resolves.toBeUndefined()
  await pool.query("SELECT set_config('synchronous_commit', 'off', false)")
  await expect(checkDurability(pool)).rejects.toThrow(
    /^the database has synchronous_commit = off; it must be on, local/,
  )
  await pool.end()
})
