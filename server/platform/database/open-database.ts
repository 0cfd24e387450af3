import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '#server/platform/config/config.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { findRunning, startEmbedded } from './embedded.ts'
import type { Connection } from './pool.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

/** Database access for a program that is not the server. */
interface Access<C = Connection | string> {
  readonly connection: C
  /** Set if this process started the database and has to stop it. */
  readonly stop?: () => Promise<void>
}

/**
 * Opens the configured database, whether or not a server is running. Never creates one: an empty DATA_DIR is the wrong folder, or
 * its disk is not mounted.
 *
 * @throws {OperatorError} if there is no database
 */
export async function openDatabase({ databaseUrl, dataDir }: Config): Promise<Access> {
  return databaseUrl ? { connection: databaseUrl } : openEmbedded(dataDir)
}

/** Like `openDatabase`, for the embedded database: connects to that of the running server, or starts it. */
export async function openEmbedded(dataDir: string): Promise<Access<Connection>> {
  await refuseUnfinishedRestore(dataDir)
  if (!hasEmbedded(dataDir)) throw noDatabase({ dataDir })
  const running = await findRunning(dataDir)
  return running ? { connection: running } : startEmbedded({ dataDir, log: () => undefined })
}

/** Whether there is an embedded database in the folder. */
export function hasEmbedded(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres'))
}

/** @throws {OperatorError} if no server has ever started on the database. */
export async function requireTables(pool: pg.Pool, where: Where): Promise<void> {
  if (!(await hasTables(pool))) throw noDatabase(where)
}

export async function hasTables(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query("SELECT to_regclass('migrations') IS NOT NULL AS exist")
  return rows[0].exist
}

type Where = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl'>>

function noDatabase({ dataDir, databaseUrl }: Where): OperatorError {
  const remedy = "Only the server creates one. Run this command with the server's settings."
  return new OperatorError(
    databaseUrl
      ? `There is no shop in the database of DATABASE_URL: it has no tables. ${remedy}`
      : `There is no database in DATA_DIR ${dataDir}. Is its disk mounted, and is it the right folder? ${remedy}`,
  )
}
