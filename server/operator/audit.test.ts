import { beforeAll, describe, expect, it } from 'vitest'
import { createAdministrator } from '#server/features/accounts/staff/administrators.ts'
import { record } from '#server/features/audit/actions.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { runCommand } from '#test/operator.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})

const run = (...words: string[]) => runCommand({ db: server.db }, 'audit', ...words)

describe('the commands about the audit log', () => {
  it('list the entries, newest last', async () => {
    await createAdministrator(server.context, 'ana')
    await createAdministrator(server.context, 'ben')
    const lines = (await run('list')).split('\n')
    expect(lines.at(-2)).toMatch(/system {2}admin.created {2}ana {2}\{"by":"command line","role":"owner"\}$/)
    expect(await run('list', '1')).toBe(lines.at(-1))
  })

  it('print no terminal control characters', async () => {
    const subject = { kind: 'administrator', id: '\u001b[2J\u202eevil' } as const
    await transaction(server.db, (tx) =>
      record(tx, { actor: { kind: 'visitor' }, action: 'admin.sign_in_refused', subject }),
    )
    const last = await run('list', '1')
    expect(last).toContain('?[2J?evil')
    expect(last).not.toMatch(/\p{Cc}/u)
  })

  it('verify the log, also against an earlier head', async () => {
    const output = await run('verify')
    expect(output).toMatch(/^The audit log is intact: \d+ entries\./)
    const head = /check: (\S+)$/.exec(output)?.[1] ?? ''
    expect(await run('verify', head)).toContain('intact')
    const forged = head.replace(/.$/, (c) => (c === '0' ? '1' : '0'))
    expect(await run('verify', forged)).toContain('changed')
  })

  it.each([[], ['nothing'], ['list', 'x'], ['list', '0'], ['list', '1', '2'], ['verify', 'x']])(
    'refuse %s %s',
    async (...words) => {
      await expect(run(...words)).rejects.toMatchObject({ name: 'CommanderError' })
    },
  )
})
