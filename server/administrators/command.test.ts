import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/app.ts'
import { newDataDir, ServerProcess } from '#test/server-process.ts'
import { LiveClient } from '#test/socket.ts'
import { runCommand } from './command.ts'

describe('the commands', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await createTestApp()
  })

  async function run(...args: string[]): Promise<string> {
    const lines: string[] = []
    await runCommand(server.context, args, (line) => void lines.push(line))
    return lines.join('\n')
  }
  const passwordIn = (output: string) => /shown this once\): (\S+)$/.exec(output)?.[1] ?? ''
  const login = (username: string, password: string) =>
    server.visitor().post('/api/admin/login', { username, password })

  it('create an administrator who can sign in, once per name in any case', async () => {
    const password = passwordIn(await run('create', 'ana'))
    expect((await login('ana', password)).status).toBe(200)
    await expect(run('create', 'ANA')).rejects.toThrow('There is an administrator ANA already')
    for (const name of ['', 'a b', 'a,b', 'x'.repeat(51)]) {
      await expect(run('create', name)).rejects.toThrow('A username has')
    }
    expect(await run('audit', 'list')).toMatch(/system {2}admin.created {2}ana {2}\{"by":"command line"\}/)
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
    const password = passwordIn(await run('reset-password', 'cleo'))
    expect((await cleo.get('/api/admin/me')).status).toBe(401)
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

  it('show what strangers typed, but let none of it steer the terminal', async () => {
    await login('\u001b[2J\u202eevil', 'guess')
    const last = (await run('audit', 'list', '1')).split('\n').at(-1)
    expect(last).toContain('?[2J?evil')
    expect(last).not.toMatch(/\p{Cc}/u)
  })

  it('verify the audit log, against an earlier head too', async () => {
    const output = await run('audit', 'verify')
    expect(output).toMatch(/^The audit log is intact: \d+ entries\./)
    const head = /check: (\S+)$/.exec(output)?.[1] ?? ''
    expect(await run('audit', 'verify', head)).toContain('intact')
    expect(
      await run(
        'audit',
        'verify',
        head.replace(/.$/, (c) => (c === '0' ? '1' : '0')),
      ),
    ).toContain('changed')
  })

  it.each([
    ['nothing'],
    ['list', 'more'],
    ['create'],
    ['create', 'a', 'b'],
    ['audit'],
    ['audit', 'list', 'x'],
    ['audit', 'verify', 'x'],
    ['constructor', 'x'],
  ])('refuse %s %s', async (...args) => {
    await expect(run(...args)).rejects.toMatchObject({ name: 'UsageError' })
  })

  it('refuse a name that nobody has', async () => {
    for (const word of ['disable', 'enable', 'reset-password', 'reset-totp']) {
      await expect(run(word, 'nobody')).rejects.toThrow('There is no administrator nobody')
    }
  })
})

describe('the program', () => {
  const PROGRAM = join(import.meta.dirname, '../admin-command.ts')

  async function admin(dataDir: string, ...args: string[]) {
    const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, DATA_DIR: dataDir }
    return promisify(execFile)(process.execPath, [PROGRAM, ...args], { env })
  }

  it('works on a folder without a server, and beside a running one', async () => {
    const dataDir = await newDataDir()
    await admin(dataDir, 'create', 'ana')
    const server = ServerProcess.start({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    try {
      const url = await server.ready()
      const { stdout } = await admin(dataDir, 'reset-password', 'ana')
      const password = /shown this once\): (\S+)/.exec(stdout)?.[1]
      const answer = await fetch(`${url}/api/admin/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'ana', password }),
      })
      expect(answer.status).toBe(200)
      await expect(admin(dataDir, 'disable', 'nobody')).rejects.toMatchObject({
        code: 1,
        stderr: 'There is no administrator nobody\n',
      })
      expect((await admin(dataDir, 'audit', 'verify')).stdout).toContain('intact')
    } finally {
      server.kill('SIGTERM')
      await server.ended()
    }
    expect((await admin(dataDir, 'list')).stdout).toMatch(/^ana: /)
    await rm(dataDir, { recursive: true, force: true })
  }, 60_000)
})
