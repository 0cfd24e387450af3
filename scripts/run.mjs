/** `node scripts/run.mjs PROGRAM …`: runs a program of the project on its own Node, installing what is missing. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, nodePath, root, StartError, say } from './bootstrap.mjs'
import { readEnvFile } from './env-file.mjs'

const [program, ...given] = process.argv.slice(2)

try {
  readEnvFile()
  await ensureInstalled()
  // What looks at the web app wants it as it is now.
  if (/^(test|demo|bench)\//.test(program)) await ensureBuilt()
  const child = spawn(nodePath(), [join(root, program), ...given], { stdio: 'inherit' })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
} catch (error) {
  if (!(error instanceof StartError)) throw error
  say(error.message)
  process.exitCode = 1
}
