import { readFileSync } from 'node:fs'
import { chmod, chown, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '#server/platform/durable-file.ts'
import { DatabaseStartError } from '../start-error.ts'

/** The user PostgreSQL runs as, in place of ours. */
export type Account = { uid: number; gid: number }

/** Never made by us, and each has an entry in the user database, which initdb insists on. */
const candidates = ['postgres', 'nobody']

/**
 * PostgreSQL refuses to run as root. For root this is who owns the cluster already, or else the first known user of
 * `names`; for everybody else undefined, which means ourselves.
 */
export async function accountFor(clusterFolder: string, names = candidates): Promise<Account | undefined> {
  const owner = await ownerOf(clusterFolder)
  if (process.geteuid?.() !== 0) return refuseForeign(clusterFolder, owner)
  if (owner && owner.uid !== 0) return owner
  const account = firstKnown(names)
  if (owner) await giveTo(account, clusterFolder)
  return account
}

async function ownerOf(folder: string): Promise<Account | undefined> {
  try {
    const { uid, gid } = await stat(folder)
    return { uid, gid }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw new DatabaseStartError(`the database folder ${folder} cannot be read: ${(error as Error).message}`)
  }
}

function refuseForeign(folder: string, owner: Account | undefined): undefined {
  if (!owner || owner.uid === process.geteuid?.()) return undefined
  throw new DatabaseStartError(
    `${folder} belongs to user ${owner.uid}: start the server as that user or as root`,
  )
}

function firstKnown(names: readonly string[]): Account {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of names) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (Number(uid) > 0 && Number(gid) >= 0) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new DatabaseStartError(
    `PostgreSQL does not run as root, and there is no user ${names.join(' or ')} to run it as: ` +
      'start the server as another user, or set DATABASE_URL',
  )
}

/** A backup put back by root belongs to root; PostgreSQL wants it to be its own and closed to others. */
async function giveTo(account: Account, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    const path = join(folder, entry)
    if (!(await lstat(path)).isSymbolicLink()) await chown(path, account.uid, account.gid)
  }
  await chmod(folder, 0o700)
  await chown(folder, account.uid, account.gid)
}
