import type { Config } from '#server/platform/config/config.ts'
import { findRunning, startEmbedded } from './embedded.ts'
import type { Connection } from './pool.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

/** Database access for a program that is not the server. */
interface Access<C = Connection | string> {
  readonly connection: C
  /** Set if this process started the database and has to stop it. */
  readonly stop?: () => Promise<void>
}

/** Opens the configured database, whether or not a server is running. */
export async function openDatabase({ databaseUrl, dataDir }: Config): Promise<Access> {
  return databaseUrl ? { connection: databaseUrl } : openEmbedded(dataDir)
}

/** Connects to the running server's embedded database, or starts it. */
export async function openEmbedded(dataDir: string): Promise<Access<Connection>> {
  await refuseUnfinishedRestore(dataDir)
  const running = await findRunning(dataDir)
  return running ? { connection: running } : startEmbedded({ dataDir, log: () => undefined })
}
