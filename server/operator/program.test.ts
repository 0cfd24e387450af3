import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { roles } from '#domain/roles.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createTestDatabase } from '#test/database.ts'
import { operator, operatorWith, passwordIn } from '#test/operator.ts'
import { newSeller } from '#test/people.ts'
import { COMPILE_CACHE, newDataDir, ServerProcess } from '#test/server-process.ts'
import { unzip } from '#test/zip.ts'
import manifest from '../../package.json' with { type: 'json' }
import { buildProgram } from './program.ts'

describe('the program', () => {
  const ONE_LINE = /^.+\n$/

  it('works with and without a running server', async () => {
    const dataDir = await newDataDir()
    const admin = (...args: string[]) => operator(dataDir, ...args)
    const start = () => ServerProcess.start({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    const first = start()
    await first.ready()
    await first.end()
    await admin('create', 'ben')
    await admin('create', 'ana')
    const server = start()
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

      for (const wrong of [['disable', 'nobody'], ['enable'], ['nothing'], ['audit', 'list', '0']]) {
        const failure = await admin(...wrong).catch((error) => error)
        expect(failure).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(ONE_LINE) })
      }

      const { stdout } = await admin('audit', 'list', '3')
      expect(stdout.trimEnd().split('\n')).toEqual([
        expect.stringContaining('admin.signed_in  ana'),
        expect.stringContaining('admin.disabled  ana'),
        expect.stringContaining('admin.sign_in_refused  ana'),
      ])
      const seller = newSeller()
      await fetch(`${url}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(seller),
      })
      const file = `${dataDir}/person.zip`
      expect((await admin('person', 'export', seller.email, file)).stdout).toContain(file)
      expect([...unzip(await readFile(file)).keys()]).toContain('profile.json')
      expect((await admin('person', 'erase', seller.username)).stdout).toContain('is deleted')
      expect((await admin('person', 'erase', seller.username).catch((error) => error)).stderr).toContain(
        `There is no seller ${seller.username}`,
      )
      expect((await admin('audit', 'list', '2')).stdout).toMatch(
        /seller\.data_exported .*\n.*seller\.deleted /,
      )
      expect((await admin('audit', 'verify')).stdout).toContain('intact')
      const asJson = async (...args: string[]) => JSON.parse((await admin(...args, '--json')).stdout)
      expect(await asJson('audit', 'verify')).toMatchObject({ intact: true })
      expect(await asJson('list')).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ username: 'ben', role: 'owner', disabledAt: null }),
        ]),
      )
      expect(await asJson('ledger', 'verify')).toMatchObject({ agrees: true, problems: [] })
      expect(await asJson('jobs', 'list')).toEqual({ total: 0, jobs: [] })
      expect(await asJson('enable', 'ana')).toEqual({ said: ['The administrator ana can sign in again.'] })
      await admin('disable', 'ana')
      await editEntry(dataDir, 2)
      expect(await admin('audit', 'verify').catch((error) => error)).toMatchObject({
        code: 1,
        stdout: 'The audit log was changed: entry 2 does not match its hash.\n',
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
        expect(failure).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(ONE_LINE) })
        expect(failure.stderr).toContain(`connect ENOENT ${socketFolder}`)
      }
      await rename(`${socketFolder}-away`, socketFolder)
    } finally {
      server.kill('SIGTERM')
      await server.ended()
    }
    expect((await admin('list')).stdout).toMatch(/^ana: .*disabled/m)
    await rm(dataDir, { recursive: true, force: true })
  }, 600_000)

  it('lists the roles in the help of set-role', () => {
    const help = buildProgram(async () => {}).commands.find((command) => command.name() === 'set-role')
    for (const role of roles) expect(help?.helpInformation()).toContain(`"${role}"`)
  })

  it('ends quietly when nobody reads its output', async () => {
    const { PATH, TMPDIR } = process.env
    const env = { PATH, TMPDIR, ...COMPILE_CACHE }
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'help'], { env })
    child.stdout.destroy()
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    const [code] = await once(child, 'exit')
    expect([code, errors]).toEqual([0, ''])
  })

  it('prints the version', async () => {
    const { stdout } = await operator(await newDataDir(), '--version')
    expect(stdout).toBe(`${manifest.version}\n`)
  })

  it('shows its help without touching anything', async () => {
    const dataDir = join(tmpdir(), 'unspent-never-made')
    for (const args of [[], ['help'], ['--help']]) {
      const { stdout } = await operator(dataDir, ...args)
      for (const word of ['create', 'disable', 'enable', 'reset-password', 'sign-in-link', 'audit']) {
        expect(stdout).toMatch(new RegExp(`^  ${word} `, 'm'))
      }
    }
    expect(existsSync(dataDir)).toBe(false)
  })

  it.each([
    ['create', 'eve'],
    ['backup', 'made.unspent'],
  ])(
    'creates no database for %s',
    async (...command) => {
      const dataDir = await newDataDir()
      onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
      expect(await operator(dataDir, ...command).catch((error) => error)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: `There is no database in DATA_DIR ${dataDir}. Is its disk mounted, and is it the right folder? Only the server creates one. Run this command with the server's settings.\n`,
      })
      expect(await readdir(dataDir)).toEqual([])
    },
    120_000,
  )

  it('creates no tables in an empty database of DATABASE_URL', async () => {
    const { url, pool } = await createTestDatabase('template0')
    expect(await operatorWith({ DATABASE_URL: url }, 'create', 'eve').catch((error) => error)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^There is no shop in the database of DATABASE_URL: it has no tables\. .+\n$/,
      ),
    })
    const { rows } = await pool.query("select from pg_class where relnamespace = 'public'::regnamespace")
    expect(rows).toEqual([])
  })

  /** Edits an entry, as the owner of the tables can. */
  async function editEntry(dataDir: string, id: number): Promise<void> {
    const client = new pg.Client(await findRunning(dataDir))
    await client.connect()
    await client.query('alter table audit_log disable trigger user')
    await client.query("update audit_log set subject_id = 'somebody else' where id = $1", [id])
    await client.query('alter table audit_log enable trigger user')
    await client.end()
  }
})
