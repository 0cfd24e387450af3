import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { readIfExists, writeDurably } from '#server/platform/durable-file.ts'

const markerOf = (dataDir: string): string => join(dataDir, 'restore-unfinished')

export async function beginRestore(dataDir: string): Promise<void> {
  await writeDurably(markerOf(dataDir), 'A restore into this folder has begun and was not finished.\n')
}

export async function endRestore(dataDir: string): Promise<void> {
  await rm(markerOf(dataDir), { force: true })
}

/** @throws {OperatorError} when a restore into the folder was interrupted: no server may start on partial data. */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if (!(await readIfExists(markerOf(dataDir)))) return
  throw new OperatorError(
    `a restore into DATA_DIR ${dataDir} was interrupted: empty the folder and restore the backup again`,
  )
}
