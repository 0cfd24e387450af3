/** Turns a script into a program of the project, on the project's own Node. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { nodePath, root } from './bootstrap.mjs'

/** For every program that loads the server's code. */
export const importFlags = ['--import', join(import.meta.dirname, 'quick-imports.mjs')]

/**
 * Node's default for young objects takes twice the memory, mostly during the start. Old ones may double between
 * collections: photos in transit count as growth, so without this the small heap was collected at every submission.
 */
export const heapFlags = ['--max-semi-space-size=4', '--heap-growing-percent=100']

/** @param flags more of Node's flags */
export function becomeServer(environment = process.env, flags = []) {
  const program = [...heapFlags, ...flags, join(root, 'server/main.ts')]
  // In its own process group: Ctrl+C reaches the terminal's whole group and npm passes it on, but the server needs it once.
  become(program, { NODE_COMPILE_CACHE: join(root, 'dist/.compiled'), ...environment }, { ownGroup: true })
}

/** Replaces this process, so signals and the exit code need no forwarding. */
export function become(program, environment = process.env, { ownGroup = false } = {}) {
  const node = nodePath()
  const args = [...importFlags, ...program]
  if (process.execve) process.execve(node, [node, ...args], environment)
  else runAsChild(node, args, { env: environment, stdio: 'inherit', detached: ownGroup })
}

/** For Node before 23.11, such as the first start on a fresh machine. */
function runAsChild(node, program, options) {
  const child = spawn(node, program, options)
  let signaled = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (!signaled) child.kill(signal)
      signaled = true
    })
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
