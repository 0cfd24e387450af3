import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createTestApp } from '#test/app.ts'

const ask = async (health: { isStarted: boolean; folders: string[] }) => {
  const server = await createTestApp({ health })
  const { status, json } = await server.visitor().get('/readyz')
  return [status, json.message ?? json.status]
}

it('is not ready during the start, nor while a folder cannot be written, and says which', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unspent-health-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'file')
  await writeFile(file, '')
  const unwritable = [503, 'The server cannot write to its disk: it may be full']
  expect(await ask({ isStarted: false, folders: [] })).toEqual([503, 'The server is starting'])
  expect(await ask({ isStarted: true, folders: [folder] })).toEqual([200, 'ready'])
  expect(await ask({ isStarted: true, folders: [folder, file] })).toEqual(unwritable)
  expect(await ask({ isStarted: true, folders: [join(folder, 'not-mounted')] })).toEqual(unwritable)
})
