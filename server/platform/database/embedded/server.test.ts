import { spawn } from 'node:child_process'
import { chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ask, clusterOf, ended, inUse, isRoot, makeDataDir, start, startOther } from '#test/embedded.ts'
import type { Log } from './folder.ts'
import { runsOn } from './postmaster.ts'

describe('two servers on one folder', () => {
  test('refuses the second and keeps the first running', async () => {
    const dataDir = await makeDataDir()
    const first = await start(dataDir)
    expect((await startOther({ dataDir }).result).error).toMatch(inUse)
    await expect(start(dataDir)).rejects.toThrow(inUse)
    expect(await ask(first, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('lets one win if four create it at the same time', async () => {
    const dataDir = await makeDataDir()
    const others = Array.from({ length: 4 }, () => startOther({ dataDir }))
    const results = await Promise.all(others.map(({ result }) => result))
    const [winner, ...more] = results.filter(({ error }) => error === undefined)
    expect(more).toEqual([])
    expect(results.filter(({ error }) => error && inUse.test(error))).toHaveLength(3)
    expect(await ask(winner ?? { url: '' }, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('lets the next one wait while the first stops', async () => {
    const dataDir = await makeDataDir()
    const first = startOther({ dataDir })
    await first.result
    first.child.kill('SIGTERM')
    await sleep(15)
    expect((await startOther({ dataDir }).result).error).toBeUndefined()
  })

  test('keeps them apart even if someone closes the connection that holds the lock', async () => {
    const dataDir = await makeDataDir()
    const log = vi.fn<Log>()
    const server = await start(dataDir, { log })
    const { password, host } = server.superuser
    const superuser = { url: `postgres://postgres:${password}@${encodeURIComponent(host)}/postgres` }
    const holder = "FROM pg_stat_activity WHERE application_name = 'unspent lock'"
    const [before] = await ask(superuser, `SELECT pid, pg_terminate_backend(pid) ${holder}`)
    const others = `SELECT count(*)::int ${holder} AND pid <> ${before?.pid}`
    await expect.poll(() => ask(superuser, others)).toEqual([{ count: 1 }])
    expect((await startOther({ dataDir }).result).error).toMatch(inUse)
    expect(log).not.toHaveBeenCalledWith('error', expect.anything())
    expect(await ask(server, "SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory'")).toEqual([
      { count: 1 },
    ])
  })
})

describe('after kill -9', () => {
  test('of the server, stops the PostgreSQL it left running', async () => {
    const dataDir = await makeDataDir()
    const killed = startOther({ dataDir })
    const { pid, url } = await killed.result
    await ask({ url }, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await ended(killed.child, 'SIGKILL')
    expect(await runsOn(clusterOf(dataDir), pid)).toBe(true)
    const server = await start(dataDir)
    expect(server.pid()).not.toBe(pid)
    expect(await runsOn(clusterOf(dataDir), pid)).toBe(false)
    expect(await ask(server, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    await expect(stat(decodeURIComponent(new URL(url).hostname))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('of both, waits for the shared memory', async () => {
    const dataDir = await makeDataDir()
    const killed = startOther({ dataDir })
    const { pid, url } = await killed.result
    await ask({ url }, 'CREATE TABLE kept AS SELECT 42 AS answer')
    killed.child.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    expect(await ask(await start(dataDir), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  test('ignores a pid file whose number belongs to another process', async () => {
    const dataDir = await makeDataDir()
    await (await start(dataDir)).stop()
    const pidFile = join(clusterOf(dataDir), 'postmaster.pid')
    // A process of the same user, as after a reboot. PostgreSQL itself ignores other users' processes.
    const { uid, gid } = await stat(clusterOf(dataDir))
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot && { uid, gid }) })
    onTestFinished(() => ended(stranger, 'SIGTERM'))
    await writeFile(pidFile, `${stranger.pid}\n/nowhere\n1795231858\n5432\n/tmp/nowhere\n\n 1 1\nready   \n`)
    await chown(pidFile, uid, -1)
    expect(await ask(await start(dataDir), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  })
})
