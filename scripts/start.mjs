/** `npm start`: installs and builds what is missing, then becomes the server. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, nodePath, root, StartError, say } from './bootstrap.mjs'

// On a machine with much memory Node would let the garbage of the start alone take 150 MB.
const program = ['--max-semi-space-size=8', join(root, 'server/main.ts')]

try {
  await ensureInstalled()
  await ensureBuilt()
  const node = nodePath()
  // This very process goes on as the server, so that signals and exit code need nobody to pass them on.
  if (process.execve) process.execve(node, [node, ...program], process.env)
  else runAsChild(node)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  say(error.message)
  process.exitCode = 1
}

/** For a Node too old to become another program, as on the first start on a fresh machine. */
function runAsChild(node) {
  // In a group of its own: Ctrl+C reaches the whole group of the terminal, and npm passes it on once more.
  const server = spawn(node, program, { stdio: 'inherit', detached: true })
  let told = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (!told) server.kill(signal)
      told = true
    })
  }
  server.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
