import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ServerProcess } from './server-process.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')

let folder: string
let app: string
/** Neither npm nor Node is on the path, and nothing can be downloaded. */
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-test-release-'))
  app = join(folder, 'app')
  await run('npm', ['run', 'release', '--', '--folder', app], { cwd: ROOT })
  const bin = join(folder, 'bin')
  await mkdir(bin)
  for (const name of ['dirname', 'readlink']) await symlink(`/usr/bin/${name}`, join(bin, name))
  env = {
    PATH: bin,
    HOME: folder,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    https_proxy: 'http://127.0.0.1:9',
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('starts, answers an operator and says what is inside', async () => {
  const server = new ServerProcess(
    spawn(join(app, 'unspent'), ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  try {
    const url = await server.ready()
    expect(await (await fetch(`${url}/get-quote`)).text()).toContain('Amazon')
    const admin = (...words: string[]) => run(join(app, 'unspent'), ['admin', ...words], { cwd: folder, env })
    expect((await admin('list')).stdout).toContain('admin: owner')
    // A file is in the caller's folder, not in the release.
    expect((await admin('backup', 'made.unspent')).stdout).toContain(join(folder, 'made.unspent'))
  } finally {
    await server.end()
  }
  const bill = JSON.parse(await readFile(join(app, 'sbom.cdx.json'), 'utf8'))
  const parts = (bill.components as { name: string }[]).map(({ name }) => name)
  expect(parts).toEqual(expect.arrayContaining(['fastify', 'react', `node-linux-${process.arch}`]))
  expect(parts).not.toContain('vitest')
  const licenses = await readFile(join(app, 'LICENSES.md'), 'utf8')
  for (const part of parts) expect(licenses).toContain(`## ${part} - `)
})

it('refuses a brand that is not in its pages', async () => {
  const started = run(join(app, 'unspent'), ['start'], { env: { ...env, PRODUCT_NAME: 'Other' } })
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('made with other values of PRODUCT_NAME'),
  })
})
