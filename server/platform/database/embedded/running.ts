import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../connection.ts'
import { readPasswords } from './folder.ts'
import { findPostmaster } from './postmaster.ts'
import { appConnection } from './roles.ts'

/** How long a PostgreSQL that is on its way up or down is waited for. Milliseconds. */
const patience = 30_000

/**
 * The way into the embedded PostgreSQL that a server runs on this folder, for a second process beside it.
 *
 * @returns undefined when none runs.
 */
export async function findRunning(dataDir: string): Promise<Connection | undefined> {
  const home = join(dataDir, 'postgres')
  const limit = Date.now() + patience
  for (;;) {
    const found = await findPostmaster(join(home, 'cluster'))
    if (!found?.alive || Date.now() > limit) return undefined
    if (found.status === 'ready' && found.socketFolder) {
      return appConnection(found.socketFolder, await readPasswords(home))
    }
    await sleep(50)
  }
}
