import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '#server/platform/database/embedded.ts'

// Embedded PostgreSQLs that tests start, kill and start again. They are stopped after the test.

export const isRoot = process.geteuid?.() === 0
/** User id of `nobody`. */
export const nobody = 65534
/** The error of the second of two servers on one folder. */
export const inUse = /^another Unspent server is already using DATA_DIR \S+$/

/** `mkdtemp` creates folders of mode 0700, so as root all tests run in a folder that PostgreSQL's user cannot enter. */
export async function makeDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'unspent-embedded-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

export async function start(dataDir: string, more: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const server = await startEmbedded({ dataDir, log: () => undefined, ...more })
  onTestFinished(() => server.stop())
  return server
}

export async function ask(server: { url: string }, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** PostgreSQL's own folder. */
export function clusterOf(dataDir: string): string {
  return join(dataDir, 'postgres/cluster')
}

type Result = { pid: number; url: string; error?: string }
type Other = { child: ChildProcess; result: Promise<Result> }

/** Starts another process with an embedded PostgreSQL. `result` resolves when it has started or failed. */
export function startOther(options: object, uid?: number): Other {
  const script = join(import.meta.dirname, 'embedded-server.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid && { uid, gid: uid }),
  })
  onTestFinished(() => ended(child, 'SIGTERM'))
  const result = new Promise<Result>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)))
    child.once('error', reject)
    child.once('exit', (code) => setTimeout(() => reject(new Error(`it ended with ${code}`)), 200))
  })
  return { child, result }
}

/** Sends a signal to a process and waits until it has ended. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exit
}
