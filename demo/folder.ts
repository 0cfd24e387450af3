import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readDemo } from '#server/demo.ts'
import { findRunning, startEmbedded } from '#server/platform/database/embedded.ts'
import { isErrno } from '#server/platform/durable-file.ts'

/** The folder cannot be taken for a demo; the message is one line for whoever started it. */
export class DemoFolderError extends Error {
  override name = 'DemoFolderError'
}

/**
 * Whether a demo has to be made in the folder. One that stands there is kept, or thrown away for a fresh one.
 * @throws {DemoFolderError} for a folder that holds anything else: no real data ever becomes a demo.
 */
export async function prepare(folder: string, fresh: boolean): Promise<boolean> {
  const names = await contents(folder)
  if (names.length === 0) return true
  if (!(await readDemo(folder)))
    throw new DemoFolderError(`${folder} holds data that are no demo; choose another with --data FOLDER`)
  if (!fresh) return false
  if (await findRunning(folder))
    throw new DemoFolderError(`A server is using ${folder}; end it before the demo is made anew`)
  await rm(folder, { recursive: true })
  return true
}

/** Makes the folder aside and renames it: a demo is there whole or not at all. */
export async function makeWhole(folder: string, make: (aside: string) => Promise<void>): Promise<void> {
  const aside = `${folder}.new`
  await removeLeftover(aside)
  try {
    await make(aside)
    await rm(folder, { recursive: true, force: true })
    await rename(aside, folder)
  } catch (error) {
    await rm(aside, { recursive: true, force: true, maxRetries: 5 })
    throw error
  }
}

/** Of a run that was killed: its database may be running still, and refuses to be claimed while the run lives. */
async function removeLeftover(aside: string): Promise<void> {
  if (await exists(join(aside, 'postgres'))) {
    const database = await startEmbedded({ dataDir: aside, log: () => undefined })
    await database.stop()
  }
  await rm(aside, { recursive: true, force: true })
}

async function contents(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw new DemoFolderError(`${folder} is no folder that can be read`)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
