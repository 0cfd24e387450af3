import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { COMPILE_CACHE, newDataDir } from '#test/server-process.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await newDataDir()
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
})

it('prints a new password for the sellers', async () => {
  const { PATH, TMPDIR } = process.env
  const program = join(import.meta.dirname, 'fill-command.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--submissions', '10'], {
    env: { PATH, TMPDIR, ...COMPILE_CACHE, DATA_DIR: dataDir },
  })
  expect(stdout).toMatch(/^Filled in \d+ s\. The sellers of this run sign in with: \S{20}$/m)
}, 180_000)
