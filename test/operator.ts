import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PROGRAM = join(import.meta.dirname, '../server/operator/main.ts')

/** Runs `npm run admin -- …` on a folder, in a process of its own. Rejects with `code` and `stderr` when it fails. */
export function operator(dataDir: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, DATA_DIR: dataDir }
  return promisify(execFile)(process.execPath, [PROGRAM, ...args], { env })
}

/** The password that `create` and `reset-password` print. */
export function passwordIn(output: string): string {
  return /shown this once\): (\S+)/.exec(output)?.[1] ?? ''
}
