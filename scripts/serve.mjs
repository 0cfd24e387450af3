/** How `npm start` and `npm run demo` become the server. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { nodePath, root } from './bootstrap.mjs'

// What the first start has compiled is kept for the next ones. The room for what is young is as small as fits a server
// of few requests at once: with Node's own choice it takes twice the memory, most of it by the time it has started.
const args = ['--max-semi-space-size=4', join(root, 'server/main.ts')]

/** This very process goes on as the server, so that signals and exit code need nobody to pass them on. */
export function becomeServer(environment = process.env) {
  const env = { NODE_COMPILE_CACHE: join(root, 'dist/.compiled'), ...environment }
  const node = nodePath()
  if (process.execve) process.execve(node, [node, ...args], env)
  else runAsChild(node, env)
}

/** For a Node too old to become another program, as on the first start on a fresh machine. */
function runAsChild(node, env) {
  // In a group of its own: Ctrl+C reaches the whole group of the terminal, and npm passes it on once more.
  const server = spawn(node, args, { stdio: 'inherit', detached: true, env })
  let told = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (!told) server.kill(signal)
      told = true
    })
  }
  server.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
