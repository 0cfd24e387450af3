import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

// By a name that the type check does not follow: the scripts are plain JavaScript, for any Node.
const script = './env-file.mjs'
const { readEnvFile } = await import(script)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-env-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function read(text: string, environment: Record<string, string> = {}): Promise<Record<string, string>> {
  const path = join(folder, '.env')
  await writeFile(path, text)
  readEnvFile(path, environment)
  return environment
}

it('takes settings, and leaves what is set already', async () => {
  const text = '\uFEFF# mine\r\n\n  PORT = 4000 \r\nHOST=::1\nADMIN_PASSWORD=" a#b$c "\nAWS_REGION=eu\n'
  expect(await read(text, { PORT: '5000' })).toEqual({
    PORT: '5000',
    HOST: '::1',
    ADMIN_PASSWORD: ' a#b$c ',
    AWS_REGION: 'eu',
  })
})

it('does without the file', () => {
  expect(readEnvFile(join(folder, 'none'), {})).toBeUndefined()
})

it.each([
  ['PORT', 'it may hold NAME=value'],
  ['export PORT=1', 'it may hold NAME=value'],
  ['PROT=1', 'PROT is no setting; .env.example has all of them'],
  ['PORT=1\nPORT=2', 'PORT is set a second time'],
])('refuses %j with its line, and shows no value', async (wrong, why) => {
  const refusal = await read(`ADMIN_PASSWORD=hunter2\n${wrong}\n`).catch((error: Error) => error.message)
  expect(refusal).toMatch(/\.env, line [23]: /)
  expect(refusal).toContain(why)
  expect(refusal).not.toContain('hunter2')
})
