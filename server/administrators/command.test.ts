import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { findRunning } from '#server/database/embedded/running.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { operator, passwordIn } from '#test/operator.ts'
import { newDataDir, ServerProcess } from '#test/server-process.ts'
import { LiveClient } from '#test/socket.ts'
import { submitted } from '#test/submissions.ts'
import { runAdministratorsCommand } from './command.ts'

describe('the commands', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await createTestApp()
  })

  async function run(...args: string[]): Promise<string> {
    const lines: string[] = []
    await runAdministratorsCommand(server.context, args, (line) => void lines.push(line))
    return lines.join('\n')
  }
  const login = (username: string, password: string) =>
    server.visitor().post('/api/admin/login', { username, password })

  it('create an administrator who can sign in, once per name in any case', async () => {
    const password = passwordIn(await run('create', 'ana'))
    expect((await login('ana', password)).status).toBe(200)
    await expect(run('create', 'ANA')).rejects.toThrow('There is an administrator ANA already')
    for (const name of ['', 'a b', 'a,b', 'x'.repeat(51)]) {
      await expect(run('create', name)).rejects.toThrow('A username has')
    }
    const log = await (await server.staff()).get('/api/admin/audit?action=admin.created&subject=ana')
    expect(log.json).toMatchObject([{ actorKind: 'system', details: { by: 'command line' } }])
  })

  it('disable ends sessions and sockets at once, enable lets in again', async () => {
    const password = passwordIn(await run('create', 'ben'))
    const ben = server.visitor()
    await ben.post('/api/admin/login', { username: 'ben', password })
    const socket = await LiveClient.open(await server.listen(), { cookie: ben.cookieHeader })
    await run('disable', 'Ben')
    expect((await ben.get('/api/admin/me')).status).toBe(401)
    expect(await socket.closed).toBe(1000)
    expect((await login('ben', password)).status).toBe(401)
    expect(await run('list')).toMatch(/^ben: .*disabled/m)
    await expect(run('disable', 'ben')).rejects.toThrow('disabled already')
    await run('enable', 'ben')
    expect((await login('ben', password)).status).toBe(200)
    expect((await ben.get('/api/admin/me')).status).toBe(401)
    await expect(run('enable', 'ben')).rejects.toThrow('not disabled')
  })

  it('reset-password gives another password and ends every session', async () => {
    const old = passwordIn(await run('create', 'cleo'))
    const cleo = server.visitor()
    await cleo.post('/api/admin/login', { username: 'cleo', password: old })
    const card = `/api/admin/submissions/${await submitted(await server.seller())}`
    await cleo.post(`${card}/claim`)
    const password = passwordIn(await run('reset-password', 'cleo'))
    expect((await cleo.get('/api/admin/me')).status).toBe(401)
    expect((await (await server.staff()).get(card)).json.claimedBy).toBeNull()
    expect((await login('cleo', old)).status).toBe(401)
    expect((await login('cleo', password)).status).toBe(200)
    const { rows } = await server.pool.query('select a::text from audit_log a')
    expect(JSON.stringify(rows)).not.toContain(password)
  })

  it('reset-totp lets in with the password alone', async () => {
    const password = passwordIn(await run('create', 'dora'))
    await expect(run('reset-totp', 'dora')).rejects.toThrow('no second factor')
    await server.pool.query(`
      insert into second_factors (administrator_id, data_key, secret, confirmed_at)
      select id, '', '', now() from administrators where username = 'dora'`)
    expect((await login('dora', password)).json.code).toBe('totp_required')
    expect(await run('list')).toMatch(/^dora: .*with a second factor/m)
    await run('reset-totp', 'dora')
    expect((await login('dora', password)).status).toBe(200)
  })

  it.each([['nothing'], ['list', 'more'], ['create'], ['create', 'a', 'b'], ['constructor', 'x']])(
    'refuse %s %s',
    async (...args) => {
      await expect(run(...args)).rejects.toMatchObject({ name: 'UsageError' })
    },
  )

  it('refuse a name that nobody has', async () => {
    for (const word of ['disable', 'enable', 'reset-password', 'reset-totp']) {
      await expect(run(word, 'nobody')).rejects.toThrow('There is no administrator nobody')
    }
  })
})

describe('the program', () => {
  const ONE_LINE = /^.+\n$/

  it('works on a folder without a server, and beside a running one', async () => {
    const dataDir = await newDataDir()
    const admin = (...args: string[]) => operator(dataDir, ...args)
    await admin('create', 'ana')
    const server = ServerProcess.start({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    try {
      const url = await server.ready()
      const password = passwordIn((await admin('reset-password', 'ana')).stdout)
      const login = () =>
        fetch(`${url}/api/admin/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'ana', password }),
        })
      const cookie = (await login()).headers.get('set-cookie')?.split(';')[0] ?? ''
      const me = () => fetch(`${url}/api/admin/me`, { headers: { cookie } })
      expect((await me()).status).toBe(200)
      await admin('disable', 'ana')
      expect((await me()).status).toBe(401)
      expect((await login()).status).toBe(401)

      for (const wrong of [
        ['disable', 'nobody'],
        ['enable'],
        ['nothing'],
        ['audit'],
        ['audit', 'list', '0'],
      ]) {
        const failure = await admin(...wrong).catch((error) => error)
        expect(failure).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) })
      }

      const { stdout } = await admin('audit', 'list', '3')
      expect(stdout.trimEnd().split('\n')).toEqual([
        expect.stringContaining('admin.signed_in  ana'),
        expect.stringContaining('admin.disabled  ana'),
        expect.stringContaining('admin.sign_in_refused  ana'),
      ])
      expect((await admin('audit', 'verify')).stdout).toContain('intact')
      await editEntry(dataDir, 2)
      expect(await admin('audit', 'verify').catch((error) => error)).toMatchObject({
        code: 1,
        stdout: 'The audit log was changed: entry 2 does not have the content that its hash was made over.\n',
      })

      const socketFolder = (await findRunning(dataDir))?.host ?? ''
      await rename(socketFolder, `${socketFolder}-away`)
      for (const command of [
        ['list'],
        ['keys', 'list'],
        ['keys', 'rotate'],
        ['backup', `${dataDir}-backup`],
      ]) {
        const failure = await admin(...command).catch((error) => error)
        expect(failure).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(ONE_LINE) })
        expect(failure.stderr).toContain(`connect ENOENT ${socketFolder}`)
      }
      await rename(`${socketFolder}-away`, socketFolder)
    } finally {
      server.kill('SIGTERM')
      await server.ended()
    }
    expect((await admin('list')).stdout).toMatch(/^ana: .*disabled/m)
    await rm(dataDir, { recursive: true, force: true })
  }, 180_000)

  it('shows what there is, without touching anything', async () => {
    const dataDir = join(tmpdir(), 'unspent-never-made')
    for (const args of [[], ['help'], ['--help']]) {
      const { stdout } = await operator(dataDir, ...args)
      for (const word of ['create', 'disable', 'enable', 'reset-password', 'reset-totp', 'audit verify']) {
        expect(stdout).toContain(`npm run admin -- ${word}`)
      }
    }
    expect(existsSync(dataDir)).toBe(false)
  }, 60_000)

  /** What somebody does who owns the tables. */
  async function editEntry(dataDir: string, id: number): Promise<void> {
    const client = new pg.Client(await findRunning(dataDir))
    await client.connect()
    await client.query('alter table audit_log disable trigger user')
    await client.query("update audit_log set subject_id = 'somebody else' where id = $1", [id])
    await client.query('alter table audit_log enable trigger user')
    await client.end()
  }
})
