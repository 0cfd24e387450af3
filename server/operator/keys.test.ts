import { expect, it } from 'vitest'
import { createPool } from '#server/platform/database/pool.ts'
import { runKeysCommand } from './keys.ts'

it.each([[], ['rotate', 'now'], ['list', 'x'], ['drop'], ['drop', 'a', 'b'], ['nothing']])(
  'keys %s %s is no command, and touches nothing',
  async (...words) => {
    const pool = createPool({ connection: 'postgres://nobody@127.0.0.1:1/none', onError: () => {} })
    const source = { dataDir: '/nowhere', databaseIsExternal: true }
    const running = runKeysCommand({ pool, source, say: () => {} }, words)
    await expect(running).rejects.toMatchObject({ name: 'UsageError' })
    expect(pool.totalCount).toBe(0)
  },
)
