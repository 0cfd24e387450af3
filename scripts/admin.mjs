/** `npm run admin -- …`: what the operator does about administrators and the audit log. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, nodePath, root, StartError, say } from './bootstrap.mjs'

const command = join(root, 'server/admin-command.ts')

try {
  await ensureInstalled()
  const child = spawn(nodePath(), [command, ...process.argv.slice(2)], { stdio: 'inherit' })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
} catch (error) {
  if (!(error instanceof StartError)) throw error
  say(error.message)
  process.exitCode = 1
}
