import { chmod, chown, cp, readFile, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { ask, clusterOf, isRoot, makeDataDir, nobody, start, startOther } from '#test/embedded.ts'

describe.runIf(isRoot)('as root', () => {
  test('runs as the first existing user, and later as the same one', async () => {
    const dataDir = await makeDataDir()
    const first = await start(dataDir, { users: ['no-such-user', 'nobody'] })
    expect(await readFile(`/proc/${first.pid()}/status`, 'utf8')).toMatch(
      /^Uid:\t65534\t65534\t65534\t65534$/m,
    )
    await first.stop()
    const second = await start(dataDir, { users: ['no-such-user'] })
    expect((await stat(`/proc/${second.pid()}`)).uid).toBe(nobody)
  })

  test('says what to do when none of the users exists', async () => {
    await expect(start(await makeDataDir(), { users: ['no-such-user'] })).rejects.toThrow(
      /^PostgreSQL does not run as root, and there is no user no-such-user .*$/,
    )
  })

  test('starts on a restored backup that belongs to root', async () => {
    const [dataDir, restored] = [await makeDataDir(), await makeDataDir()]
    const server = await start(dataDir)
    await ask(server, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await server.stop()
    await cp(dataDir, restored, { recursive: true })
    await chmod(clusterOf(restored), 0o755)
    expect((await stat(clusterOf(restored))).uid).toBe(0)
    expect(await ask(await start(restored), 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })
})

test('runs as the same user when not root', async (context) => {
  const dataDir = await makeDataDir()
  if (isRoot) await chown(dataDir, nobody, nobody)
  const { result } = startOther({ dataDir }, isRoot ? nobody : undefined)
  const server = await result.catch((error: NodeJS.ErrnoException) => {
    if (isRoot && error.code === 'EACCES') context.skip('nobody cannot enter the folder of the program')
    throw error
  })
  expect(server.error).toBeUndefined()
  expect(await ask(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect((await stat(clusterOf(dataDir))).uid).toBe(isRoot ? nobody : process.geteuid?.())
})
