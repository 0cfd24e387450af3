import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isErrno, syncFolder, writeDurably } from '#server/platform/durable-file.ts'
import { DatabaseStartError } from '../start-error.ts'
import { type Account, accountFor } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { type Log, startProgram } from './process.ts'
import { SOCKET_PORT } from './roles.ts'

/** The folder of an embedded PostgreSQL and who and what serves it. */
export type Place = {
  dataDir: string
  /** PostgreSQL's own folder, which belongs to the account. */
  cluster: string
  account: Account | undefined
  binaries: Binaries
  passwords: Passwords
}

type Passwords = { superuser: string; app: string }
type Options = { dataDir: string; log: Log; sync: boolean; users?: string[]; caches?: string[] }

const stagingPrefix = '.postgres-new-'

/** Finds the database below the data folder, or makes one. Whole or not at all: it is made aside and renamed. */
export async function openPlace({ dataDir, log, sync, users, caches }: Options): Promise<Place> {
  const home = join(dataDir, 'postgres')
  const cluster = join(home, 'cluster')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const account = await accountFor(cluster, users)
  const binaries = await findBinaries(account, caches)
  if (!(await exists(home))) {
    log('info', 'making a new database')
    await makeAside(home, account, binaries, sync)
  }
  await checkVersion(cluster, binaries)
  return { dataDir, cluster, account, binaries, passwords: await readPasswords(home) }
}

/** Removes what starts that were killed half-way have left. Call it only as the one server of this folder. */
export async function removeLeftovers(dataDir: string, log: Log): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(stagingPrefix)) continue
    const maker = Number(name.slice(stagingPrefix.length).split('-')[0])
    if (lives(maker) && maker !== process.pid) continue
    // The initdb of a killed start may still be writing, so it may take more than one sweep.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 }).catch((error: Error) =>
      log('warn', `the leftover ${name} could not be removed: ${error.message}`),
    )
  }
}

async function makeAside(
  home: string,
  account: Account | undefined,
  binaries: Binaries,
  sync: boolean,
): Promise<void> {
  const staging = join(dirname(home), `${stagingPrefix}${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    const passwords = { superuser: randomPassword(), app: randomPassword() }
    await mkdir(staging, { mode: 0o700 })
    await writeDurably(join(staging, 'credentials.json'), `${JSON.stringify(passwords, null, 2)}\n`)
    await initdb(staging, account, binaries, passwords.superuser, sync)
    await syncFolder(staging)
    await rename(staging, home).catch(unlessTaken)
    await syncFolder(dirname(home))
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function initdb(
  staging: string,
  account: Account | undefined,
  binaries: Binaries,
  password: string,
  sync: boolean,
): Promise<void> {
  const cluster = join(staging, 'cluster')
  const passwordFile = join(staging, 'superuser-password')
  await mkdir(cluster, { mode: 0o700 })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (account) for (const path of [cluster, passwordFile]) await chown(path, account.uid, account.gid)

  const made = startProgram({
    program: binaries.initdb,
    paths: [cluster, passwordFile],
    args: (folder, file) => [
      `--pgdata=${folder}`,
      `--pwfile=${file}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--data-checksums',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(sync ? [] : ['--no-sync']),
    ],
    account,
    onLine: () => undefined,
  })
  const { code, signal } = await made.ended
  await rm(passwordFile)
  if (code !== 0)
    throw new DatabaseStartError(
      ['the database could not be made', ...made.lastLines()].join('\n') + (signal ? `\n(${signal})` : ''),
    )
}

/** Somebody else was faster: theirs is used, and who may serve it is settled by the lock. */
function unlessTaken(error: unknown): void {
  if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error
}

async function checkVersion(cluster: string, { major }: Binaries): Promise<void> {
  const made = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (made === String(major)) return
  throw new DatabaseStartError(
    made
      ? `${cluster} was made by PostgreSQL ${made} and this program brings ${major}: export it with the old program first`
      : `${cluster} is not a complete PostgreSQL folder: put it back from a backup, or move it away to begin anew`,
  )
}

export async function readPasswords(home: string): Promise<Passwords> {
  const path = join(home, 'credentials.json')
  try {
    const { superuser, app } = JSON.parse(await readFile(path, 'utf8')) as Partial<Passwords>
    if (superuser && app) return { superuser, app }
  } catch {
    // One line for missing, closed and damaged alike.
  }
  throw new DatabaseStartError(`${path} cannot be read: it holds the passwords of the embedded database`)
}

/** Removes the socket folder of a PostgreSQL that is gone, if it is one of those we make. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (!/\/unspent-pg-[A-Za-z0-9]{6}$/.test(folder)) return
  const socket = `.s.PGSQL.${SOCKET_PORT}`
  for (const name of [socket, `${socket}.lock`])
    await rm(join(folder, name), { force: true }).catch(() => undefined)
  await rmdir(folder).catch(() => undefined)
}

function randomPassword(): string {
  return randomBytes(24).toString('base64url')
}

async function exists(path: string): Promise<boolean> {
  return readdir(path).then(
    () => true,
    (error: Error) => {
      if (isErrno(error, 'ENOENT')) return false
      throw new DatabaseStartError(`the database folder cannot be read: ${error.message}`)
    },
  )
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return isErrno(error, 'EPERM')
  }
}
