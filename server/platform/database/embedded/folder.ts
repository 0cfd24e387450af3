import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataDir } from '#server/platform/config/data-dir.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { isErrno, syncFolder, writeDurably } from '#server/platform/durable-file.ts'
import { type Account, accountFor } from './account.ts'
import { findPrograms, type Programs, startProgram } from './programs.ts'

export type Log = (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void

/** The folder of an embedded PostgreSQL, and what serves it. */
export type Folder = {
  dataDir: string
  /** PostgreSQL's own folder, which belongs to the account. */
  cluster: string
  account: Account | undefined
  programs: Programs
  passwords: Passwords
}

export type Passwords = { superuser: string; app: string }
type Options = { dataDir: string; log: Log; sync: boolean; users?: string[] }

const stagingPrefix = '.postgres-new-'

/** Opens the database below the data folder, and creates it if there is none. */
export async function openFolder({ dataDir, log, sync, users }: Options): Promise<Folder> {
  const home = join(dataDir, 'postgres')
  const cluster = join(home, 'cluster')
  const isNew = !(await exists(home))
  if (isNew) await makeDataDir(dataDir)
  const account = await accountFor(cluster, users)
  const programs = await findPrograms(account)
  if (isNew) {
    log('info', 'creating a new database')
    await create(dataDir, account, programs, sync)
  }
  await checkVersion(cluster, programs)
  return { dataDir, cluster, account, programs, passwords: await readPasswords(home) }
}

async function exists(path: string): Promise<boolean> {
  return readdir(path).then(
    () => true,
    (error: Error) => {
      if (isErrno(error, 'ENOENT')) return false
      throw new OperatorError(`the database folder cannot be read: ${error.message}`)
    },
  )
}

/** Creates the database in a neighboring folder and renames that, so a killed start leaves no partial database. */
async function create(
  dataDir: string,
  account: Account | undefined,
  programs: Programs,
  sync: boolean,
): Promise<void> {
  const staging = join(dataDir, `${stagingPrefix}${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    const passwords = { superuser: randomPassword(), app: randomPassword() }
    await mkdir(staging, { mode: 0o700 })
    await writeDurably(join(staging, 'credentials.json'), `${JSON.stringify(passwords, null, 2)}\n`)
    await initdb(staging, account, programs, passwords.superuser, sync)
    await syncFolder(staging)
    await rename(staging, join(dataDir, 'postgres')).catch((error) => {
      // Another server was faster: use its database. The lock decides later which of the two may serve it.
      if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error
    })
    await syncFolder(dataDir)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

function randomPassword(): string {
  return randomBytes(24).toString('base64url')
}

async function initdb(
  staging: string,
  account: Account | undefined,
  programs: Programs,
  password: string,
  sync: boolean,
): Promise<void> {
  const cluster = join(staging, 'cluster')
  const passwordFile = join(staging, 'superuser-password')
  await mkdir(cluster, { mode: 0o700 })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (account) for (const path of [cluster, passwordFile]) await chown(path, account.uid, account.gid)

  const initdb = startProgram({
    program: programs.initdb,
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
  })
  const { code, signal } = await initdb.ended
  await rm(passwordFile)
  if (code !== 0)
    throw new OperatorError(
      ['the database could not be created', ...initdb.lines, ...(signal ? [`(${signal})`] : [])].join('\n'),
    )
}

async function checkVersion(cluster: string, { major }: Programs): Promise<void> {
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (version === String(major)) return
  throw new OperatorError(
    version
      ? `${cluster} was made by PostgreSQL ${version} and this program includes ${major}: export it with the old program first`
      : `${cluster} is not a complete PostgreSQL folder: restore it from a backup, or move it away to start with a new one`,
  )
}

export async function readPasswords(home: string): Promise<Passwords> {
  const path = join(home, 'credentials.json')
  try {
    const { superuser, app } = JSON.parse(await readFile(path, 'utf8')) as Partial<Passwords>
    if (superuser && app) return { superuser, app }
  } catch {
    // One message, whether the file is missing, unreadable or damaged.
  }
  throw new OperatorError(`${path} cannot be read: it holds the passwords of the embedded database`)
}

/** Removes what killed starts left behind. Call it only while holding the lock of the folder. */
export async function removeLeftovers(dataDir: string, log: Log): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(stagingPrefix)) continue
    const maker = Number(name.slice(stagingPrefix.length).split('-')[0])
    if (maker !== process.pid && isProcess(maker)) continue
    // The initdb of a killed start may still be writing, so it may take more than one try.
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 }).catch((error: Error) =>
      log('warn', `the leftover ${name} could not be removed: ${error.message}`),
    )
  }
}

export function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return isErrno(error, 'EPERM')
  }
}
