import { expect, it } from 'vitest'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { runCommand } from '#test/operator.ts'

it.each([[], ['rotate', 'now'], ['list', 'x'], ['drop'], ['drop', 'a', 'b'], ['nothing']])(
  'refuses keys %s %s without touching the database',
  async (...words) => {
    const pool = createPool({ connection: 'postgres://nobody@127.0.0.1:1/none', onError: () => {} })
    const source = { dataDir: '/nowhere', databaseUrl: 'postgres://localhost/unspent' }
    const running = runCommand({ db: createDatabase(pool), source }, 'keys', ...words)
    await expect(running).rejects.toMatchObject({ name: 'CommanderError' })
    expect(pool.totalCount).toBe(0)
  },
)
