import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '#server/platform/database/embedded.ts'

// Embedded PostgreSQLs that are started, killed and started again. All of it ends with the test.

export const isRoot = process.geteuid?.() === 0
/** The id of the user `nobody`. */
export const nobody = 65534
/** What the second of two servers on one folder is told. */
export const inUse = /^another Unspent server is already using DATA_DIR \S+$/

/** `mkdtemp` makes folders of mode 0700, so as root every test keeps its data where PostgreSQL cannot enter. */
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

type Word = { pid: number; url: string; error?: string }
type Other = { child: ChildProcess; word: Promise<Word> }

/** Another server process; `word` is what it says once it serves or has failed. */
export function startOther(options: object, uid?: number): Other {
  const script = join(import.meta.dirname, 'embedded-server.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid && { uid, gid: uid }),
  })
  onTestFinished(() => ended(child, 'SIGTERM'))
  const word = new Promise<Word>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(JSON.parse(line)))
    child.once('error', reject)
    child.once('exit', (code) => setTimeout(() => reject(new Error(`it ended with ${code}`)), 200))
  })
  return { child, word }
}

/** Sends a process a signal and waits for its end. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exit
}
