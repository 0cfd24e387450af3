import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { buildProgram } from '#server/operator/program.ts'
import type { Tools } from '#server/operator/tools.ts'
import { importFlags } from '../scripts/become.mjs'
import { COMPILE_CACHE } from './server-process.ts'

const PROGRAM = join(import.meta.dirname, '../server/operator/main.ts')

/** Runs `./unspent admin …` on a folder in a new process. Rejects with `code` and `stderr` if it fails. */
export function operator(dataDir: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return operatorWith({ DATA_DIR: dataDir }, ...args)
}

/** Like `operator`, with these settings. */
export function operatorWith(
  settings: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ stdout: string; stderr: string }> {
  const { PATH, TMPDIR } = process.env
  const env = { PATH, TMPDIR, ...COMPILE_CACHE, ...settings }
  return promisify(execFile)(process.execPath, [...importFlags, PROGRAM, ...args], { env })
}

/** The password that `create` and `reset-password` print. */
export function passwordIn(output: string): string {
  return /shown only once\): (\S+)/.exec(output)?.[1] ?? ''
}

/**
 * Runs a command of `./unspent admin` in this process. Returns what it prints.
 * @throws {CommanderError} for wrong arguments, which never reach the tools
 */
export async function runCommand(tools: Partial<Tools>, ...words: readonly string[]): Promise<string> {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const show: Tools['show'] = (_data, shown) => void lines.push(...shown)
  const quiet = new Command().exitOverride().configureOutput({ writeOut() {}, writeErr() {} })
  const program = buildProgram(async (action) => void (await action({ ...tools, say, show } as Tools)), quiet)
  await program.parseAsync(words, { from: 'user' })
  return lines.join('\n')
}
