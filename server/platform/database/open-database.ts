import type { Config } from '#server/platform/config/config.ts'
import type { Connection } from './connection.ts'
import { findRunning, startEmbedded } from './embedded.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

/** A way into the database for a program that is not the server. */
interface Access<C = Connection | string> {
  readonly connection: C
  /** Set when this process has started the database, and has to end it. */
  readonly stop?: () => Promise<void>
}

/** The database of the settings, beside a running server or without one. */
export async function openDatabase({ databaseUrl, dataDir }: Config): Promise<Access> {
  return databaseUrl ? { connection: databaseUrl } : openEmbedded(dataDir)
}

/** The embedded database: that of the running server, or started for the while that this takes. */
export async function openEmbedded(dataDir: string): Promise<Access<Connection>> {
  await refuseUnfinishedRestore(dataDir)
  const running = await findRunning(dataDir)
  return running ? { connection: running } : startEmbedded({ dataDir, log: () => undefined })
}
