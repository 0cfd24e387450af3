import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Account } from './account.ts'
import { cleanEnvironment } from './binaries.ts'

export type Log = (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void

/** One run of a PostgreSQL program. */
export type Running = {
  pid: number
  /** Settles when it has ended and said its last word. Never rejects. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  hasEnded: () => boolean
  /** The end of what it said, at most 30 lines. */
  lastLines: () => string[]
  kill: (signal: NodeJS.Signals) => void
}

type Start = {
  program: string
  /** Gets the path under which the program sees each folder or file of `paths`. */
  args: (...seen: string[]) => string[]
  paths: string[]
  account: Account | undefined
  environment?: Record<string, string>
  onLine: (line: string) => void
}

/**
 * Starts a program in a session of its own, so that Ctrl+C reaches it only through us, once the server has let go.
 *
 * With an account it gets every path as an open file: `/proc/self/fd/3` leads to a folder though the user it runs as
 * may not enter the folders above, so that data can stay below a closed one such as /root.
 */
export function startProgram(start: Start): Running {
  const handOver = start.account !== undefined && process.platform === 'linux'
  const files = handOver ? start.paths.map((path) => openSync(path, constants.O_RDONLY)) : []
  try {
    const seen = handOver ? files.map((_, index) => `/proc/self/fd/${index + 3}`) : start.paths
    const child = spawn(start.program, start.args(...seen), {
      ...start.account,
      cwd: '/',
      detached: true,
      env: { ...cleanEnvironment, ...start.environment },
      stdio: ['ignore', 'pipe', 'pipe', ...files],
    })
    return watched(child, start.onLine)
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** A server that just exits takes its programs along; one that is killed leaves them to the next start. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGINT')
})

function watched(child: ChildProcess, onLine: (line: string) => void): Running {
  const lines: string[] = []
  const hear = (line: string): void => {
    lines.push(line)
    if (lines.length > 30) lines.shift()
    onLine(line)
  }
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on('line', hear)

  let over = false
  running.add(child)
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      over = true
      running.delete(child)
      // What it said last may still be in the pipe; a surviving child of its own may hold the pipe open for long.
      setTimeout(() => resolve({ code, signal }), 20)
    }
    child.on('exit', end)
    child.on('error', (error) => {
      hear(`FATAL:  ${error.message}`)
      end(null, null)
    })
  })
  return {
    pid: child.pid ?? 0,
    ended,
    hasEnded: () => over,
    lastLines: () => [...lines],
    kill: (signal) => void (over || child.kill(signal)),
  }
}
