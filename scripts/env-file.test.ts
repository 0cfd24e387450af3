import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

// A variable, because the type check does not cover the scripts: they are plain JavaScript for any Node.
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

it('adds settings and keeps variables that are already set', async () => {
  const text = '\uFEFF# mine\r\n\n  PORT = 4000 \r\nHOST=::1\nADMIN_PASSWORD=" a#b$c "\nAWS_REGION=eu\n'
  expect(await read(text, { PORT: '5000' })).toEqual({
    PORT: '5000',
    HOST: '::1',
    ADMIN_PASSWORD: ' a#b$c ',
    AWS_REGION: 'eu',
  })
})

it('needs no file', () => {
  expect(readEnvFile(join(folder, 'none'), {})).toBeUndefined()
})

it.each([
  ['PORT', 'expected NAME=value'],
  ['export PORT=1', 'expected NAME=value'],
  ['PROT=1', 'PROT is not a setting; .env.example lists them all'],
  ['PORT=1\nPORT=2', 'PORT is set twice'],
])('refuses %j, naming the line but no value', async (wrong, why) => {
  const refusal = await read(`ADMIN_PASSWORD=hunter2\n${wrong}\n`).catch((error: Error) => error.message)
  expect(refusal).toMatch(/\.env, line [23]: /)
  expect(refusal).toContain(why)
  expect(refusal).not.toContain('hunter2')
})
