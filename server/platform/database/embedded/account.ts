import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { isErrno } from '#server/platform/durable-file.ts'

/** The user that PostgreSQL runs as when we are root. */
export type Account = { uid: number; gid: number }

/** We create no users. initdb needs one that is in /etc/passwd. */
const usualUsers = ['postgres', 'nobody']

/**
 * PostgreSQL refuses to run as root. For root, returns the owner of the cluster, or else the first existing user of
 * `names`. For anyone else, returns undefined: PostgreSQL runs as the same user.
 */
export async function accountFor(cluster: string, names = usualUsers): Promise<Account | undefined> {
  const own = process.geteuid?.()
  const owner = await stat(cluster).catch((error: Error) => {
    if (isErrno(error, 'ENOENT')) return undefined
    throw new OperatorError(`the database folder ${cluster} cannot be read: ${error.message}`)
  })
  if (own !== 0) {
    if (!owner || owner.uid === own) return undefined
    throw new OperatorError(
      `${cluster} belongs to user ${owner.uid}: start the server as that user or as root`,
    )
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const account = firstExisting(names)
  if (owner) await giveTo(account, cluster)
  return account
}

function firstExisting(names: readonly string[]): Account {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of names) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (Number(uid) > 0 && Number(gid) >= 0) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new OperatorError(
    `PostgreSQL does not run as root, and there is no user ${names.join(' or ')} to run it as: ` +
      'start the server as another user, or set DATABASE_URL',
  )
}

/** A backup restored by root belongs to root. PostgreSQL wants a folder that is its own and closed to others. */
async function giveTo(account: Account, folder: string): Promise<void> {
  await promisify(execFile)('chown', ['-Rh', `${account.uid}:${account.gid}`, folder])
  await chmod(folder, 0o700)
}
