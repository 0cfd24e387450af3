/** How a script goes on as a program of the project, on the project's own Node. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { nodePath, root } from './bootstrap.mjs'

/**
 * How the server's heap is kept, for programs that start it. The room for what is young is as small as fits a server of
 * few requests at once: with Node's own choice it takes twice the memory, most of it by the time it has started. What is
 * old may double before it is looked through: the bytes of photos on their way count as its growth, and a heap
 * this small was looked through whole for each submission.
 */
export const heapFlags = ['--max-semi-space-size=4', '--heap-growing-percent=100']

/** `npm start` and `npm run demo` end like this. */
export function becomeServer(environment = process.env) {
  const program = [...heapFlags, join(root, 'server/main.ts')]
  // What the first start has compiled is kept for the next ones. In a group of its own: Ctrl+C reaches the whole group of
  // the terminal, npm passes it on once more, and the server is to be told once.
  become(program, { NODE_COMPILE_CACHE: join(root, 'dist/.compiled'), ...environment }, { ownGroup: true })
}

/** This very process goes on as the program, so that signals and exit code need nobody to pass them on. */
export function become(program, environment = process.env, { ownGroup = false } = {}) {
  const node = nodePath()
  if (process.execve) process.execve(node, [node, ...program], environment)
  else runAsChild(node, program, { env: environment, stdio: 'inherit', detached: ownGroup })
}

/** For a Node too old to become another program, as on the first start on a fresh machine. */
function runAsChild(node, program, options) {
  const child = spawn(node, program, options)
  let told = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (!told) child.kill(signal)
      told = true
    })
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
